import { afterAll, beforeAll, expect, test } from "vitest";
import { loadOwnData, readSessionTime } from "../../examples/demo/data.js";
import { evidenceRecall } from "../../examples/demo/recall.js";
import { type Asked, askOne, fill, historyTokens } from "../../examples/demo/run.js";
import { showcase } from "../../src/cli/demo/showcase.js";
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

test.each(data.questions.filter(({ abstain }) => !abstain).map(({ question, answer }) => [question, answer]))(
  "%s is answered %s, with a turn that proves it",
  (question, answer) => {
    const one = asked.find((candidate) => candidate.question.question === question);
    expect(one?.answer.answer).toBe(answer);
    const cited = one?.answer.citations.flatMap(({ sourceIds }) => sourceIds) ?? [];
    expect(one?.question.evidence).toEqual(expect.arrayContaining([expect.toBeOneOf(cited)]));
  },
);

test("the question without an answer is abstained from", () => {
  expect(asked.filter(({ question }) => question.abstain).map(({ answer }) => answer.abstained)).toEqual([true]);
});

test("no question takes a quarter of the full history", () => {
  for (const { tokens } of asked) expect(tokens).toBeLessThan(historyTokens(data) / 4);
});

test("the facts that are shown stand beside the turn they came from, one line of talk each", async () => {
  const { items } = await simplemem.scope({ userId: "demo" }).list({ limit: 500 });
  const shown = showcase(data.turns, items, 8);
  expect(shown).toHaveLength(8);
  for (const { turn, facts } of shown) {
    const proven = items.filter(({ sourceIds }) => sourceIds.includes(turn.id));
    expect(proven.map(({ losslessRestatement }) => losslessRestatement)).toEqual(expect.arrayContaining([...facts]));
  }
});

test("the progress ends at the last turn", async () => {
  const seen: string[] = [];
  const other = await SimpleMem.open({ uri: "memory://" });
  await fill(other.scope({ userId: "demo" }), data.turns.slice(0, 30), (done, total) => seen.push(`${done}/${total}`));
  await other.close();
  expect(seen.at(0)).toBe("0/30");
  expect(seen.at(-1)).toBe("30/30");
});

test.each([
  ["1:56 pm on 8 May, 2023", "2023-05-08T13:56:00.000Z"],
  ["12:05 am on 1 January, 2024", "2024-01-01T00:05:00.000Z"],
])("the session time %s is read", (text, iso) => {
  expect(new Date(readSessionTime(text)).toISOString()).toBe(iso);
});
