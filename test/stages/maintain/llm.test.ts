import { describe, expect, it } from "vitest";
import { emptyUsage, SILENT_LOGGER } from "../../../src/records/index.js";
import { createLlmMaintainer, createRuleMaintainer } from "../../../src/stages/maintain/index.js";
import { httpError, ScriptedModel } from "../../support/fakes.js";
import { entryOf } from "../../support/store.js";

const TEXTS = [
  "Ilse meets Bram at the mill at 7",
  "Ilse sees Bram at the mill at 7",
  "Ilse meets Bram near the mill at 7",
];
const CLUSTER = TEXTS.map((losslessRestatement, index) =>
  entryOf({ entryId: `e${index}`, losslessRestatement, persons: ["Ilse", "Bram"] }),
);
const BY_RULE = { text: `${TEXTS.join("; ")}.`, by: "rule" };

function run() {
  return { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };
}

async function condensed(reply: string | Error) {
  const maintainer = createLlmMaintainer({ model: new ScriptedModel([reply]) });
  const { summaries, rejections } = await maintainer.condense({ clusters: [CLUSTER] }, run());
  return { summary: summaries[0], reasons: rejections.map(({ reason }) => reason) };
}

const withText = (text: string): string => JSON.stringify({ patterns: [{ group: 1, text }] });

describe("a model that sums up", () => {
  it("is believed when nothing is lost and nothing is new", async () => {
    const text = "Ilse meets Bram at the mill at 7.";
    expect(await condensed(withText(text))).toEqual({ summary: { text, by: "model" }, reasons: [] });
  });

  it.each([
    ["drops a number", "Ilse meets Bram at the mill.", "lost_detail: a pattern"],
    ["drops a name", "Ilse meets somebody at the mill at 7.", "lost_detail: a pattern"],
    ["drops what is said", "Ilse and Bram, 7.", "lost_detail: a pattern"],
    ["denies", "Ilse never meets Bram at the mill at 7.", "lost_negation: a pattern"],
    ["makes it hang on something", "Ilse meets Bram at the mill at 7 if it rains.", "lost_condition: a pattern"],
    ["brings a number", "Ilse meets Bram at the mill at 7, 3 times.", "ungrounded_number: a pattern"],
    ["brings a name", "Ilse meets Bram and Maren at the mill at 7.", "ungrounded_name: a pattern"],
  ])("is refused when it %s: the rules' text stands", async (_title, text, reason) => {
    expect(await condensed(withText(text))).toEqual({ summary: BY_RULE, reasons: [reason] });
  });

  it("that names no group, or says nothing usable, leaves the work to the rules", async () => {
    expect(await condensed(JSON.stringify({ patterns: [{ group: 9, text: "Ilse" }] }))).toEqual({
      summary: BY_RULE,
      reasons: ["unknown_group: a text for no cluster"],
    });
    expect((await condensed("I cannot do that.")).summary).toEqual(BY_RULE);
  });

  it("that is dead rejects, so that the clusters are tried again", async () => {
    await expect(condensed(httpError(400))).rejects.toThrow("400");
  });
});

describe("the rules that sum up", () => {
  it("say each statement once, word for word", async () => {
    const more = entryOf({ losslessRestatement: `${TEXTS[1]}.`, persons: ["Ilse", "Bram"] });
    const { summaries } = await createRuleMaintainer().condense({ clusters: [[...CLUSTER, more]] }, run());
    expect(summaries).toEqual([BY_RULE]);
  });

  it("leave a cluster alone whose text would be too long", async () => {
    const long = CLUSTER.map((entry, index) => ({
      ...entry,
      losslessRestatement: `Ilse keeps ${"many very old and rusty clocks ".repeat(12)} in shed ${index === 0 ? "" : "also"}`,
    }));
    const distinct = long.map((entry, index) => ({
      ...entry,
      losslessRestatement: `${entry.losslessRestatement} ${["north", "south", "west"][index]}`,
    }));
    const { summaries } = await createRuleMaintainer().condense({ clusters: [distinct] }, run());
    expect(summaries).toEqual([null]);
  });
});
