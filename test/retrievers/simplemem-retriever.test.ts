import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem } from "../../src/index.js";
import type { ScopedMemory } from "../../src/records/index.js";
import { SimpleMemRetriever } from "../../src/retrievers/index.js";
import { FakeEmbeddings } from "../support/fakes.js";

async function filled(): Promise<ScopedMemory> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(),
  });
  onTestFinished(() => simplemem.close());
  const memory = simplemem.scope({ userId: "u-ilse" });
  await memory.add([
    { id: "t1", speaker: "Ilse", content: "I adopted a greyhound called Rill.", timestamp: "2025-03-04T10:00:00Z" },
    { id: "t2", speaker: "Bram", content: "I bake rye bread on Sundays.", timestamp: "2025-03-04T10:01:00Z" },
    { id: "t3", speaker: "Ilse", content: "The greyhound sleeps near the stove.", timestamp: "2025-03-05T10:01:00Z" },
  ]);
  await memory.flush();
  return memory;
}

describe("SimpleMemRetriever", () => {
  it("gives documents with the ids and texts of the hits, in their order", async () => {
    const memory = await filled();
    const { hits } = await memory.search("greyhound", { k: 3 });
    const documents = await new SimpleMemRetriever({ memory, k: 3 }).invoke("greyhound");
    expect(documents.map(({ id, pageContent }) => [id, pageContent])).toEqual(hits.map(({ id, text }) => [id, text]));
    expect(new Set(documents.map((document) => document.id)).size).toBe(documents.length);
    expect(documents.length).toBeGreaterThan(0);
  });

  it("tells in plain JSON what proves a document", async () => {
    const memory = await filled();
    const [document] = await new SimpleMemRetriever({ memory }).invoke("Who adopted a greyhound?");
    expect(document?.metadata.sourceIds).toEqual(["t1"]);
    expect(JSON.parse(JSON.stringify(document?.metadata))).toEqual(document?.metadata);
    expect(document?.metadata.score).toBeGreaterThan(0);
  });

  it("passes k, filter and threshold on", async () => {
    const memory = await filled();
    const ask = (options: object) => new SimpleMemRetriever({ memory, ...options }).invoke("greyhound");
    expect(await ask({ k: 1 })).toHaveLength(1);
    expect(await ask({ scoreThreshold: 1 })).toEqual([]);
    expect(await ask({ filter: { after: "2099-01-01" } })).toEqual([]);
    expect(await ask({ maxTokens: 0 })).toEqual([]);
  });

  it("works in a chain and in a batch", async () => {
    const retriever = new SimpleMemRetriever({ memory: await filled(), k: 1 });
    const chain = retriever.pipe((documents) => documents.map((document) => document.pageContent).join("\n"));
    expect(await chain.invoke("rye bread")).toMatch(/rye bread/);
    expect(await retriever.batch(["rye bread", "greyhound"])).toHaveLength(2);
  });

  it("stops before the search when its signal is aborted", async () => {
    const retriever = new SimpleMemRetriever({ memory: await filled() });
    await expect(retriever.invoke("bread", { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  it("hands the signal of a call to the search", async () => {
    const memory = await filled();
    const seen: unknown[] = [];
    const spy: ScopedMemory = Object.assign(Object.create(memory), {
      search: (query: string, options: { signal?: AbortSignal }) => {
        seen.push(options.signal);
        return memory.search(query);
      },
    });
    const { signal } = new AbortController();
    await new SimpleMemRetriever({ memory: spy }).invoke("bread", { signal });
    expect(seen[0]).toBeInstanceOf(AbortSignal);
  });
});
