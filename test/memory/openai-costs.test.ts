import { ChatOpenAI } from "@langchain/openai";
import { expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings, fact } from "../support/fakes.js";
import { startOpenAiServer } from "../support/openai-server.js";

type Reply = Parameters<typeof startOpenAiServer>[0]["reply"];

/** A memory over the real client, which would retry six times by itself, against a scripted server on this machine. */
async function openAgainst(reply: Reply, options: Partial<SimpleMemOptions> = {}) {
  const server = await startOpenAiServer({ reply });
  onTestFinished(() => server.close());
  const llm = new ChatOpenAI({ model: "gpt-4o-mini", apiKey: "test", configuration: { baseURL: server.url } });
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { size: 2, idleMs: 0 },
    llm,
    embeddings: new FakeEmbeddings(),
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return { server, memory: simplemem.scope({ userId: "u-ilse", userName: "Ilse" }) };
}

const entries = (...texts: string[]) => ({
  content: JSON.stringify({ entries: texts.map((text) => fact(text)), open_questions: [] }),
});
const asText = (request: unknown): string => JSON.stringify(request);
const said = (content: string) => ({ speaker: "Ilse", content });

it("retries a 429 itself and alone, and counts every call and retry", async () => {
  const { server, memory } = await openAgainst((_, index) =>
    index < 1 ? { status: 429 } : entries("Ilse keeps bees"),
  );
  await memory.add(said("I keep bees."));
  const report = await memory.flush();
  expect(report.windows.stored).toBe(1);
  expect([server.calls.length, report.usage.modelCalls, report.usage.retries]).toEqual([2, 2, 1]);
});

it("makes two calls, not fourteen, of a server that stays down, and counts them although nothing came of it", async () => {
  const { server, memory } = await openAgainst(() => ({ status: 503 }));
  await memory.add(said("I keep bees."));
  const report = await memory.flush();
  expect([server.calls.length, report.usage.modelCalls, report.windows.pending]).toEqual([2, 2, 1]);
  expect((await memory.stats()).totals.modelCalls).toBe(2);
});

it("leaves a model alone that failed nine times, counts no try meanwhile, and goes on after half a minute", async () => {
  let now = Date.parse("2025-03-04T10:00:00Z");
  let isDown = true;
  const { server, memory } = await openAgainst(() => (isDown ? { status: 503 } : entries("Ilse keeps bees")), {
    clock: () => now,
    limits: { tries: 20 },
  });
  await memory.add(said("I keep bees."));
  for (let round = 0; round < 7; round++) await memory.flush();
  const calls = server.calls.length;
  expect(calls).toBe(9);
  const idle = await memory.flush();
  expect(idle.failures[0]).toMatchObject({ attempts: 4, final: false, error: expect.stringMatching(/left alone/) });
  const answer = await memory.ask("What does Ilse keep?");
  expect([answer.usage.modelCalls, server.calls.length]).toEqual([0, 9]);
  expect(answer.answer).toMatch(/bees/);
  isDown = false;
  now += 31_000;
  expect((await memory.flush()).windows.stored).toBe(1);
});

it("asks one model in one way for all stages once it refused the others (R15)", async () => {
  const { server, memory } = await openAgainst((request) => {
    const text = asText(request);
    if (text.includes("response_format") || text.includes('"tools"')) return { status: 400 };
    return text.includes("You answer") ? { content: '{"answer":"Bees","citations":[1]}' } : entries("Ilse keeps bees");
  });
  await memory.add(said("I keep bees."));
  await memory.flush();
  expect(server.calls).toHaveLength(3);
  expect((await memory.ask("What does Ilse keep?")).answer).toBe("Bees");
  expect(server.calls).toHaveLength(4);
});

it("takes a tool call where the model has no other structured output (R15)", async () => {
  const { server, memory } = await openAgainst((request) => {
    if (asText(request).includes("response_format")) return { status: 400 };
    const args = { entries: [fact("Ilse keeps bees")], open_questions: ["Since when?"] };
    return { toolCalls: [{ name: "simplemem_extract", args }] };
  });
  await memory.add(said("I keep bees."));
  const report = await memory.flush();
  expect([report.windows.stored, report.openQuestions, server.calls.length]).toEqual([1, ["Since when?"], 2]);
});

it("asks by halves when the client throws at the token limit (R07)", async () => {
  const { server, memory } = await openAgainst((request) => {
    const text = asText(request);
    const both =
      text.includes("] (") && text.split("I keep").length > 2 && text.includes("[1]") && text.includes("[2]");
    if (both) return { content: '{"entries":[{"loss', finishReason: "length" };
    return entries(text.includes("NEW (local times, UTC+00:00)\\n[1]") ? "Ilse keeps bees" : "Ilse keeps a diary");
  });
  await memory.add([said("I keep bees."), said("I keep a diary.")]);
  const report = await memory.flush();
  expect(report.windows).toEqual({ stored: 1, failed: 0, pending: 0 });
  expect((await memory.list()).items.map((entry) => entry.losslessRestatement).sort()).toEqual([
    "Ilse keeps a diary",
    "Ilse keeps bees",
  ]);
  expect(server.calls).toHaveLength(3);
});

it("makes no more calls in a flush than it may; the rest stays pending and no try is counted", async () => {
  const { server, memory } = await openAgainst(() => entries("Ilse keeps bees"), {
    limits: { maxCallsPerFlush: 2, maxConcurrency: 1, tries: 1 },
  });
  await memory.add(Array.from({ length: 8 }, (_, index) => said(`I keep bees in hive ${index}.`)));
  const first = await memory.flush();
  expect([first.windows.stored, first.windows.failed, first.failures, server.calls.length]).toEqual([2, 0, [], 2]);
  expect(first.windows.pending).toBe(2);
  for (let round = 0; round < 3; round++) await memory.flush();
  expect((await memory.stats()).windows).toMatchObject({ stored: 4, pending: 0, failed: 0 });
});
