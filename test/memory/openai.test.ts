import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { expect, it, onTestFinished } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { startOpenAiServer } from "../support/openai-server.js";

type Reply = Parameters<typeof startOpenAiServer>[0]["reply"];

/** A memory over the real OpenAI clients, which talk to a scripted server on this machine. */
async function openAgainst(reply: Reply) {
  const server = await startOpenAiServer({ reply, dimension: 16 });
  onTestFinished(() => server.close());
  const configuration = { baseURL: server.url };
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { size: 4, idleMs: 0 },
    llm: new ChatOpenAI({ model: "gpt-4o-mini", apiKey: "test", maxRetries: 0, configuration }),
    embeddings: new OpenAIEmbeddings({ model: "text-embedding-3-small", apiKey: "test", maxRetries: 0, configuration }),
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return { server, memory: simplemem.scope({ userId: "u-ilse" }) };
}

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    speaker: "Ilse Corrin",
    content: `The locker code of room ${index} is ${4000 + index}.`,
    timestamp: "2025-03-04T10:00:00Z",
  }));

/** Answers the extraction of a window with one entry per room of the prompt, and decides nothing on neighbours. */
function extractEverything(request: unknown): string {
  const prompt = JSON.stringify(request);
  if (prompt.includes("simplemem_consolidate")) return JSON.stringify({ operations: [] });
  const rooms = [...new Set([...prompt.matchAll(/locker code of room (\d+) is (\d+)/g)].map((match) => match[1]))];
  return JSON.stringify({
    entries: rooms.map((room) => ({
      lossless_restatement: `The locker code of room ${room} of Ilse Corrin is ${4000 + Number(room)}.`,
      keywords: ["locker", "code"],
      source_ids: [`t${room}`],
    })),
  });
}

const isExtraction = (request: unknown): boolean => JSON.stringify(request).includes("locker code of room");

it("drives windows in parallel through the real clients, one call each", async () => {
  const { server, memory } = await openAgainst((request) => ({ content: extractEverything(request) }));
  await memory.add(turns(8));
  const report = await memory.flush();
  expect(report.failures).toEqual([]);
  expect(report.windows.stored).toBe(2);
  expect((await memory.stats()).turns).toBe(8);
  const { items } = await memory.list();
  for (let room = 0; room < 8; room++) {
    expect(items.some((entry) => entry.losslessRestatement.includes(String(4000 + room)))).toBe(true);
  }
  // Two extractions, and at most one decision per window that has neighbours.
  expect(server.calls.length).toBeGreaterThanOrEqual(2);
  expect(server.calls.length).toBeLessThanOrEqual(4);
  expect(server.embedCalls.length).toBe(2);
  expect(report.usage.modelCalls).toBe(server.calls.length);
});

it("takes a 429, then a success, within one flush", async () => {
  const { server, memory } = await openAgainst((request, index) =>
    index === 0 ? { status: 429 } : { content: extractEverything(request) },
  );
  await memory.add(turns(2));
  const report = await memory.flush();
  expect(report.windows).toEqual({ stored: 1, failed: 0, pending: 0 });
  expect(server.calls.length).toBe(2);
});

it("keeps the window when the server fails for good, and stores it once the server is back", async () => {
  let isDown = true;
  const { server, memory } = await openAgainst((request) =>
    isDown ? { status: 500 } : { content: extractEverything(request) },
  );
  await memory.add(turns(2));
  const failed = await memory.flush();
  expect(failed.windows).toEqual({ stored: 0, failed: 0, pending: 1 });
  expect(failed.failures).toMatchObject([{ stage: "extract", attempts: 1, final: false }]);
  expect(server.calls.length).toBe(2);
  expect((await memory.list()).items).toEqual([]);
  expect((await memory.search("locker code room")).hits.length).toBeGreaterThan(0);
  isDown = false;
  expect((await memory.flush()).windows).toEqual({ stored: 1, failed: 0, pending: 0 });
});

it("treats a reply that is no JSON as a failure, never as nothing to remember", async () => {
  const { server, memory } = await openAgainst((request) =>
    isExtraction(request) ? { content: "All good, nothing in JSON today." } : { content: "{}" },
  );
  await memory.add(turns(2));
  const report = await memory.flush();
  expect(report.windows).toEqual({ stored: 0, failed: 0, pending: 1 });
  expect(report.failures).toHaveLength(1);
  expect(server.calls.length).toBeLessThanOrEqual(3);
  expect((await memory.list()).items).toEqual([]);
});
