import { expect, it } from "vitest";
import { filledAt } from "../../support/clocked.js";
import { fact, reply, ScriptedModel } from "../../support/fakes.js";

async function filled() {
  return (await filledAt(Date.parse("2025-04-01T12:00:00Z"))).memory;
}

async function everything(memory: Awaited<ReturnType<typeof filled>>): Promise<string> {
  let text = "";
  for await (const line of memory.export()) text += line;
  return text;
}

const questions = [{ question: "Who repairs clocks?", evidence: ["t2"] }];

it("the same options make the same entries, and nothing of the scope changes", async () => {
  const memory = await filled();
  const before = await everything(memory);
  const report = await memory.rebuild({ questions });
  expect(report).toMatchObject({
    turns: 2,
    added: [],
    lost: [],
    changed: [],
    failures: [],
    recall: { now: 1, anew: 1 },
  });
  expect(report.same).toBe(report.entries.now);
  expect(await everything(memory)).toBe(before);
});

it("another model is told by what it adds, loses and words otherwise", async () => {
  const memory = await filled();
  const llm = new ScriptedModel([
    reply(fact("Ilse lives in the city of Graz.", { source_ids: ["t1"], persons: ["Ilse"] })),
  ]);
  const { changed, lost, recall, usage } = await memory.rebuild({ with: { llms: { extract: llm } }, questions });
  expect(changed).toEqual([{ now: expect.stringMatching(/Graz/), anew: "Ilse lives in the city of Graz." }]);
  expect(lost.join()).toMatch(/clocks/);
  expect(recall).toEqual({ now: 1, anew: 1 });
  expect(usage.modelCalls).toBeGreaterThan(0);
});

it("a wrong option is refused by a typed error", async () => {
  const memory = await filled();
  await expect(memory.rebuild({ questions: [{ question: "x", evidence: [] }] })).rejects.toThrow(/options of rebuild/);
});
