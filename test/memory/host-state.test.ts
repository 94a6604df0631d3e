import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Metadata, SimpleMem } from "../../src/index.js";
import { SimpleMemRetriever } from "../../src/retrievers/index.js";
import { FakeEmbeddings, fact, httpError, ScriptedModel } from "../support/fakes.js";

type Memory = ReturnType<SimpleMem["scope"]>;

const METADATA: Metadata = { a: false, b: 0, c: "", d: null, e: [] };

function everyStage(prompt: string): string {
  if (prompt.includes("You plan")) return JSON.stringify({ queries: ["bees"], complexity: 0.9, after: "2025-01-01" });
  if (prompt.includes("You judge")) return '{"sufficient":false,"missing":["hives"],"queries":["hives"]}';
  if (prompt.includes("You answer")) return JSON.stringify({ answer: "Bees.", citations: [1], confidence: 0.9 });
  if (prompt.includes("SOURCES:")) return "Bees.\nSOURCES: 1";
  const items = [fact("Ilse keeps 3 bees", { persons: ["Ilse"], timestamp: "2025-03-04" }), {}];
  return JSON.stringify({ entries: items, open_questions: ["Since when?"] });
}

async function filled(model = new ScriptedModel([everyStage])): Promise<Memory> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    llm: model,
    embeddings: new FakeEmbeddings(),
    window: { idleMs: 0 },
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
  await memory.add({ id: "t1", speaker: "Ilse", content: "I keep 3 bees, as of today.", metadata: METADATA });
  await memory.flush();
  await memory.facts.remember("home.city", "Dunmore");
  await memory.facts.remember("home.city", "Porthaven", { expiresAt: "2099-01-01" });
  return memory;
}

/** The value as a graph's checkpointer gives it back. */
async function keptInState(value: unknown): Promise<unknown> {
  const graph = new StateGraph(Annotation.Root({ kept: Annotation<unknown> }))
    .addNode("keep", () => ({ kept: value }))
    .addEdge(START, "keep")
    .addEdge("keep", END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  await graph.invoke({}, config);
  return (await graph.getState(config)).values.kept;
}

/** Paths at which the value holds anything but plain JSON: no Date, BigInt, typed array, class or NaN. */
function unlikeJson(value: unknown, path = ""): string[] {
  if (value === null || typeof value === "string" || typeof value === "boolean") return [];
  if (typeof value === "number") return Number.isFinite(value) ? [] : [path];
  if (Array.isArray(value)) return value.flatMap((one, index) => unlikeJson(one, `${path}[${index}]`));
  const isPlain = typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain) return [path];
  return Object.entries(value).flatMap(([key, one]) => unlikeJson(one, `${path}.${key}`));
}

async function streamedAnswer(memory: Memory): Promise<unknown> {
  const stream = memory.streamAsk("What does Ilse keep?");
  let next = await stream.next();
  while (next.done !== true) next = await stream.next();
  return next.value;
}

const QUESTION = "Why does Ilse keep bees and hens, and since when?";

describe("what the memory gives survives a checkpointer unchanged (R68)", () => {
  it.each<[string, (memory: Memory) => Promise<unknown>]>([
    ["a search", (memory) => memory.search("bees")],
    ["a search that plans and reflects", (memory) => memory.search(QUESTION, { planning: "always" })],
    ["a search that finds facts", (memory) => memory.search("home city")],
    ["a search that finds nothing", (memory) => memory.search("  ")],
    [
      "a search within times",
      (memory) => memory.search("bees", { filter: { after: "2025-01-01" }, asOf: "2090-01-01" }),
    ],
    ["the recalled block", (memory) => memory.context("bees")],
    ["an answer", (memory) => memory.ask("What does Ilse keep?")],
    ["an abstention", (memory) => memory.ask(" ")],
    ["a streamed answer", streamedAnswer],
    ["a page of entries", (memory) => memory.list({ limit: 1 })],
    ["an entry", async (memory) => memory.get((await memory.list()).items[0]?.entryId ?? "")],
    ["an entry that is none", (memory) => memory.get("none")],
    ["the turns", (memory) => memory.turns()],
    ["facts with their history", (memory) => memory.facts.recall("home.*")],
    [
      "the receipt of turns",
      (memory) => memory.add({ id: "t1", speaker: "Ilse", content: "I keep 3 bees, as of today." }),
    ],
    [
      "the report of a flush",
      async (memory) => {
        await memory.add({ speaker: "Ilse", content: "I keep 3 bees too." });
        return memory.flush();
      },
    ],
    ["the receipt of a dry run", (memory) => memory.forget({ all: true, dryRun: true })],
    ["the receipt of forgetting", (memory) => memory.forget({ all: true })],
    ["the statistics", (memory) => memory.stats()],
  ])("%s", async (_title, give) => {
    const given = await give(await filled());
    expect(unlikeJson(given)).toEqual([]);
    expect(await keptInState(given)).toEqual(given);
    expect(JSON.parse(JSON.stringify(given))).toEqual(given);
  });

  it("the report of a flush that fails", async () => {
    const simplemem = await SimpleMem.open({
      uri: "memory://",
      llm: new ScriptedModel([httpError(400)]),
      embeddings: new FakeEmbeddings(),
      window: { idleMs: 0 },
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add({ speaker: "Ilse", content: "I keep bees." });
    const report = await memory.flush();
    expect(report.failures).toHaveLength(1);
    expect(unlikeJson(report)).toEqual([]);
    expect(await keptInState(report)).toEqual(report);
    await simplemem.close({ flush: false });
  });

  it("documents of the retriever, by their id, text and plain metadata with the score", async () => {
    const documents = await new SimpleMemRetriever({ memory: await filled() }).invoke("bees");
    const plain = documents.map(({ id, pageContent, metadata }) => ({ id, pageContent, metadata }));
    expect(plain.length).toBeGreaterThan(0);
    for (const { id, metadata } of plain) expect([typeof id, typeof metadata.score]).toEqual(["string", "number"]);
    expect(unlikeJson(plain)).toEqual([]);
    expect(await keptInState(plain)).toEqual(plain);
  });
});

it.each<[string, Metadata]>([
  ["what is false, zero, blank, null and empty", METADATA],
  ["nothing", {}],
  ["what is nested", { a: { b: [{ c: [[], {}, null, false] }] } }],
  ["large and small numbers", { a: Number.MAX_SAFE_INTEGER, b: -0.1, c: 1e-300 }],
  ["text of every script", { a: "蜜蜂 🐝 \u0000 \n \"'", b: "é" }],
  ["keys of every form", { "a.b": 1, "a'b": 2, "": 3, 键: 4, 'a"b': 5 }],
  ["text that looks like other types", { a: "2025-01-01", b: "null", c: "1n", d: "[]" }],
  ["mixed lists", { a: [1, "1", null, true, [1], { a: 1 }] }],
  ["keys in mixed case", { aB: 1, ab: 2, AB: 3 }],
  ["a long text", { a: "x".repeat(20_000) }],
  ["a number where another turn has text", { n: 1 }],
])("metadata with %s is the same in the store and in the state (R68)", async (_title, metadata) => {
  const memory = await filled();
  await memory.add({ id: "text", speaker: "Ilse", content: "I row.", metadata: { n: "two" } });
  await memory.add({ id: "t2", speaker: "Ilse", content: "I knit.", metadata });
  const turn = (await memory.turns()).find(({ dialogueId }) => dialogueId === "t2");
  expect(turn?.metadata).toEqual(metadata);
  expect(await keptInState(turn)).toEqual(turn);
});
