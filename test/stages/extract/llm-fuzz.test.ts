import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyUsage, ModelOutputError, SILENT_LOGGER } from "../../../src/records/index.js";
import { createLlmExtractor } from "../../../src/stages/extract/index.js";
import { ScriptedModel } from "../../support/fakes.js";
import { FACTS, mangledReply } from "../../support/mangled.js";
import { turn } from "./fixtures.js";

const TURNS = [
  turn("Ilse", "I repair clocks and live in Dunmore.", { dialogueId: "1" }),
  turn("Ilse", "I have 3 cats and dislike olives.", { dialogueId: "2" }),
];

it("gives no entry that is not in a mangled reply, and either an answer or a typed error", async () => {
  await fc.assert(
    fc.asyncProperty(mangledReply, async (reply) => {
      const run = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };
      const input = { windowId: "w", turns: TURNS, context: [], neighbours: [], timeZone: "UTC" };
      const extraction = createLlmExtractor({ model: new ScriptedModel([reply]) }).extract(input, run);
      const output = await extraction.catch((error: unknown) => {
        expect(error).toBeInstanceOf(ModelOutputError);
        return null;
      });
      for (const item of output?.items ?? []) {
        expect(FACTS).toContain(item.losslessRestatement);
        expect(reply).toContain(item.losslessRestatement);
        expect(item.sourceIds.length).toBeGreaterThan(0);
        expect(item.sourceIds.every((id) => id === "1" || id === "2")).toBe(true);
        expect(JSON.stringify(item).isWellFormed()).toBe(true);
      }
      expect(JSON.parse(JSON.stringify(output))).toEqual(output);
    }),
    { numRuns: 400 },
  );
});
