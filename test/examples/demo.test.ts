import { afterAll, beforeAll, expect, test } from "vitest";
import { loadOwnData, readSessionTime } from "../../examples/demo/data.js";
import { evidenceRecall } from "../../examples/demo/recall.js";
import { type Asked, askOne, fill, historyTokens } from "../../examples/demo/run.js";
import { SimpleMem } from "../../src/index.js";

const data = await loadOwnData();
const asked: Asked[] = [];
let simplemem: SimpleMem;

beforeAll(async () => {
  simplemem = await SimpleMem.open({ uri: "memory://" });
  const memory = simplemem.scope({ userId: "demo" });
  await fill(memory, data.turns);
  for (const question of data.questions) asked.push(await askOne(memory, question));
});
afterAll(() => simplemem.close());

test("the conversation has 80 turns or more in four sessions", () => {
  expect(data.turns.length).toBeGreaterThanOrEqual(80);
  expect(new Set(data.turns.map(({ sessionId }) => sessionId)).size).toBe(4);
});

test("at least 8 of 9 answerable questions find a turn that proves the answer", () => {
  const found = asked.filter(
    ({ question, answer }) => !question.abstain && evidenceRecall(answer.hits, question.evidence, 10) > 0,
  );
  expect(found.length).toBeGreaterThanOrEqual(8);
});

test("the question without an answer is abstained from", () => {
  expect(asked.filter(({ question }) => question.abstain).map(({ answer }) => answer.abstained)).toEqual([true]);
});

test("no question takes a quarter of the full history", () => {
  for (const { tokens } of asked) expect(tokens).toBeLessThan(historyTokens(data) / 4);
});

test.each([
  ["1:56 pm on 8 May, 2023", "2023-05-08T13:56:00.000Z"],
  ["12:05 am on 1 January, 2024", "2024-01-01T00:05:00.000Z"],
])("the session time %s is read", (text, iso) => {
  expect(new Date(readSessionTime(text)).toISOString()).toBe(iso);
});
