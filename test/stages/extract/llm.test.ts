import { ChatOpenAI } from "@langchain/openai";
import { expect, it, onTestFinished } from "vitest";
import { type DialogueTurn, emptyUsage } from "../../../src/records/index.js";
import { createLlmExtractor } from "../../../src/stages/extract/llm.js";
import { fact, reply, ScriptedModel } from "../../support/fakes.js";
import { startOpenAiServer } from "../../support/openai-server.js";

const turn: DialogueTurn = {
  dialogueId: "t1",
  speaker: "Ilse Corrin",
  role: "user",
  content: "I bought a red kayak yesterday.",
  timestamp: "2025-03-04T10:00:00.000Z",
  offsetMinutes: 0,
  timestampGiven: true,
  sessionId: "s",
  contentHash: "h",
  metadata: {},
} as unknown as DialogueTurn;
const input = { windowId: "w", turns: [turn], context: [], neighbours: [], timeZone: "UTC" };
const newRun = () => ({
  usage: emptyUsage(),
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  now: () => 0,
});
const good = fact("Ilse Corrin bought a red kayak yesterday.", { source_ids: ["invented"] });

it("resolves a relative time and never keeps an invented source (R16 R39)", async () => {
  const output = await createLlmExtractor({ model: new ScriptedModel([reply(good)]) }).extract(input, newRun());
  expect(output.items[0]?.losslessRestatement).toMatch(/2025/);
  expect(output.items[0]?.losslessRestatement).not.toMatch(/yesterday/);
  expect(output.items[0]?.sourceIds).toEqual(["t1"]);
});

it("loses one item to one bad item (R09 R11)", async () => {
  const model = new ScriptedModel([reply(good, fact("Ilse \ud800 Corrin"), { lossless_restatement: 5 })]);
  const output = await createLlmExtractor({ model }).extract(input, newRun());
  expect([output.items.length, output.rejections.length]).toEqual([1, 2]);
});

it("asks once more, then rejects: no JSON is never nothing (R03 R06)", async () => {
  const model = new ScriptedModel([""]);
  await expect(createLlmExtractor({ model }).extract(input, newRun())).rejects.toThrow(/no usable JSON/);
  expect(model.calls).toBe(2);
});

it.each([
  [200, 1],
  [429, 0],
  [500, 0],
])("the real client meets status %i (R27)", async (status, items) => {
  const server = await startOpenAiServer({ reply: () => ({ status, content: JSON.stringify({ entries: [good] }) }) });
  onTestFinished(() => server.close());
  const model = new ChatOpenAI({
    model: "gpt-4o-mini",
    apiKey: "test",
    maxRetries: 0,
    configuration: { baseURL: server.url },
  });
  const result = createLlmExtractor({ model }).extract(input, newRun());
  if (items === 0) await expect(result).rejects.toThrow();
  else expect((await result).items).toHaveLength(items);
  expect(server.calls).toHaveLength(1);
});
