import { describe, expect, it } from "vitest";
import { emptyUsage, type Plan, SILENT_LOGGER } from "../../../src/records/index.js";
import { createRulePlanner, needsModel } from "../../../src/stages/plan/index.js";
import { turnOf } from "../../support/store.js";

const RUN = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };

function planned(
  question: string,
  recent: readonly string[] = [],
  knownPersons: readonly string[] = [],
): Promise<Plan> {
  const turns = recent.map((content, index) => turnOf({ dialogueId: `r${index}`, content, speaker: "Ilse" }));
  const input = { question, recent: turns, knownPersons, now: "2026-05-01T12:00:00.000Z", timeZone: "UTC" };
  return createRulePlanner().plan(input, RUN);
}

describe("the order of events that a question asks for", () => {
  it.each<[string, Plan["sequence"]]>([
    ["What is the latest about Mr. Tanaka?", "latest"],
    ["What was the most recent visit to the dentist?", "latest"],
    ["When was the last time Ilse went sailing?", "latest"],
    ["Which book is Gina currently reading?", "latest"],
    ["What is the newest plan for the shed?", "latest"],
    ["Which hotel did we choose in the end?", "latest"],
    ["On what date did I plan to open in the end?", "latest"],
    ["她最近一次去海边是什么时候?", "latest"],
    ["项目的最新进展是什么?", "latest"],
    ["What happened with that customer afterwards?", "afterwards"],
    ["What has Mara done since then?", "afterwards"],
    ["Kite sent the pump back. What happened next?", "afterwards"],
    ["And then?", "afterwards"],
    ["王芳后来怎么样了?", "afterwards"],
    ["然后呢?", "afterwards"],
    ["在那之后发生了什么?", "afterwards"],
    ["How did the dispute with Kite end?", "outcome"],
    ["How did it turn out?", "outcome"],
    ["What did they do in the end?", "outcome"],
    ["Did Kite pay in the end?", "outcome"],
    ["What became of the greyhound?", "outcome"],
    ["官司最后怎么样了?", "outcome"],
  ])("%s", async (question, sequence) => {
    expect((await planned(question)).sequence).toBe(sequence);
  });

  it.each([
    "What did Melanie do after the road trip?",
    "Where does Ilse live?",
    "How does the film end up on the shelf?",
    "What should be done by Friday at the latest?",
    "What did they paint in their latest project in July 2023?",
    "What did Maria plan to do later on the evening of 7 July, 2023?",
    "What is next to the mill?",
    "她搬家以前住在哪里?",
  ])("no order is read from: %s", async (question) => {
    expect(await planned(question)).not.toHaveProperty("sequence");
  });

  it("asks for no words that only ask for the order", async () => {
    expect((await planned("What is the latest about Mr. Tanaka?")).keywords).toEqual(["mr", "tanaka"]);
    expect((await planned("What happened with that customer afterwards?")).keywords).toEqual([]);
    expect((await planned("那个客户后来怎么样了?")).keywords).toEqual([]);
    expect((await planned("Which book is Gina currently reading?")).keywords).toEqual(["book", "gina", "read"]);
  });
});

describe("R44: whom a question means that names nobody", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      "What happened with that customer afterwards?",
      ["Mr. Tanaka sent the pump back.", "Yes, he did."],
      ["Mr. Tanaka"],
    ],
    ["Where does she live?", ["Mara adopted a greyhound."], ["Mara"]],
    ["那个客户后来怎么样了?", ["王芳把水泵退回来了。"], ["王芳"]],
    ["What happened next?", ["We met Mara.", "Then Jon called."], ["Jon"]],
  ])("%s after %j", async (question, recent, persons) => {
    const plan = await planned(question, recent, ["Ilse", "Mara", "Jon", "王芳"]);
    expect(plan.persons).toEqual(persons);
    expect(plan.queries.at(-1)?.toLowerCase()).toContain(persons[0]?.toLowerCase());
  });

  it.each<[string, readonly string[]]>([
    ["Where does Bram live?", ["Mara adopted a greyhound."]],
    ["What is that about?", ["Mara adopted a greyhound."]],
    ["What happened afterwards?", ["Ilse was ill, and I stayed at home."]],
    ["What happened with that customer afterwards?", []],
  ])("takes nobody from elsewhere: %s after %j", async (question, recent) => {
    const { persons } = await planned(question, recent, ["Ilse", "Bram", "Mara"]);
    expect(persons).toEqual(question.includes("Bram") ? ["Bram"] : []);
  });

  it("leaves a question that points back to a model, where there is one", async () => {
    const question = "What happened with that customer afterwards?";
    const plan = await planned(question, ["Mr. Tanaka sent the pump back."]);
    expect(needsModel(plan, [turnOf()])).toBe(true);
  });
});
