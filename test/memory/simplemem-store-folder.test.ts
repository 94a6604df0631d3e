import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod/v4";
import { SimpleMem } from "../../src/memory/index.js";
import { SimpleMemStore, type SimpleMemStoreOptions } from "../../src/memory/store.js";
import { FakeEmbeddings } from "../support/fakes.js";
import { filesHolding, freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

const SENTINEL = "quokka-on-a-raft-9042";

async function open(options: SimpleMemStoreOptions): Promise<SimpleMemStore> {
  const store = await SimpleMemStore.open(options);
  onTestFinished(() => store.stop());
  return store;
}

async function openEngine(uri: string): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({ uri, embeddings: new FakeEmbeddings(), window: { idleMs: 0 } });
  onTestFinished(() => simplemem.close());
  return simplemem;
}

describe("a folder of items", () => {
  it("what one handle put, a later one finds, by key and by meaning", async () => {
    const uri = freshFolder();
    const first = await open({ uri });
    await first.put(["docs"], "k", { text: "The heron nests in the mill." });
    const born = await first.get(["docs"], "k");
    await first.stop();
    const second = await open({ uri });
    expect(await second.get(["docs"], "k")).toEqual(born);
    expect((await second.search(["docs"], { query: "Where does the heron nest?" }))[0]?.score).toBeGreaterThan(0.3);
  });

  it("R17, R19: three processes put the same and their own items: each place holds one, none is lost", async () => {
    const uri = freshFolder();
    const names = ["ane", "bram", "ilse"];
    const ends = await Promise.all(names.map((name) => ended(startChild("items-worker", [uri, name]))));
    expect(ends.map(({ lines, code, errors }) => ({ lines, code, errors }))).toEqual(
      names.map(() => ({ lines: ["8"], code: 0, errors: "" })),
    );
    const store = await open({ uri });
    const shared = await store.search(["shared"], { query: "heron", limit: 100 });
    expect(shared.map((item) => item.key).sort()).toEqual(Array.from({ length: 8 }, (_, index) => `k${index}`));
    for (const { value, score } of shared) {
      expect(value.text).toContain(value.by);
      expect(score).toBeTypeOf("number");
    }
    expect(await store.search(["own"], { limit: 100 })).toHaveLength(24);
  });

  it("a put of another handle is seen at once", async () => {
    const uri = freshFolder();
    const [left, right] = [await open({ uri, index: false }), await open({ uri, index: false })];
    await Promise.all([left.put(["a"], "k", { n: 1 }), right.put(["a"], "k", { n: 1 })]);
    expect(await left.search(["a"])).toHaveLength(1);
    await left.delete(["a"], "k");
    expect(await right.get(["a"], "k")).toBeNull();
  });

  it("R59: forget with purge leaves the bytes in no file, and the other items whole", async () => {
    const uri = freshFolder();
    const store = await open({ uri });
    const others = Array.from({ length: 100 }, (_, index) => ({
      namespace: ["kept"],
      key: `k${index}`,
      value: { text: `Heron ${index} nests in the mill.` },
    }));
    await store.batch([...others, { namespace: ["gone", SENTINEL], key: SENTINEL, value: { text: SENTINEL } }]);
    expect(filesHolding(uri, SENTINEL)).not.toEqual([]);
    expect(await store.forget(["gone"], { purge: true })).toBe(1);
    expect(filesHolding(uri, SENTINEL)).toEqual([]);
    expect(await store.search(["kept"], { query: "heron", limit: 200 })).toHaveLength(100);
  });

  it("read-only reads what is there and refuses to write", async () => {
    const uri = freshFolder();
    const writer = await open({ uri, ttl: { defaultTtl: 60 } });
    await writer.put(["docs"], "k", { text: "The heron nests in the mill." });
    const reader = await open({ uri, readOnly: true, clock: () => Date.now() + 30 * 60_000 });
    await reader.start();
    expect(await reader.search(["docs"], { query: "heron" })).toHaveLength(1);
    await expect(reader.put(["docs"], "k", {})).rejects.toMatchObject({ name: "NotWritableError" });
    await expect(reader.forget(["docs"])).rejects.toMatchObject({ name: "NotWritableError" });
  });

  it("a stopped store says so; stopping twice is fine", async () => {
    const store = await open({ uri: "memory://", index: false });
    await store.stop();
    await store.stop();
    const closed = { name: "ClosedError" };
    await expect(store.get(["a"], "k")).rejects.toMatchObject(closed);
    await expect(store.forget(["a"])).rejects.toMatchObject(closed);
    await expect(store.sweep()).rejects.toMatchObject(closed);
  });

  it.each([{ uri: " " }, { uri: "memory://", indx: {} }, { uri: "memory://", index: { dims: 0 } }])(
    "the options %j are refused",
    async (options) => {
      await expect(SimpleMemStore.open(options as never)).rejects.toMatchObject({ name: "InvalidInputError" });
    },
  );
});

describe("the folder of an engine", () => {
  it("holds both: an engine's store uses its embedder, ends with it, and opens again by itself", async () => {
    const uri = freshFolder();
    const simplemem = await openEngine(uri);
    const store = await simplemem.store({ index: { fields: ["text"] } });
    await simplemem.scope({ userId: "ilse" }).add({ speaker: "Ilse", content: "The heron nests in the mill." });
    await store.put(["docs"], "k", { text: "The heron nests in the mill." });
    expect((await store.search(["docs"], { query: "The heron nests in the mill." }))[0]?.score).toBeCloseTo(1, 5);
    await store.stop();
    expect((await simplemem.scope({ userId: "ilse" }).stats()).turns).toBe(1);
    await simplemem.close();
    expect(() => simplemem.store()).toThrow(/closed/);
    const again = await open({ uri, embeddings: new FakeEmbeddings(), index: { fields: ["text"] } });
    expect(await again.search(["docs"], { query: "heron" })).toHaveLength(1);
  });

  it("a namespace is no scope: deleting a user leaves items alone, reset drops them", async () => {
    const simplemem = await openEngine(freshFolder());
    const store = await simplemem.store();
    await simplemem.scope({ userId: "ilse" }).add({ speaker: "Ilse", content: "The heron nests in the mill." });
    await store.put(["users", "ilse"], "k", { text: "kept" });
    expect(await simplemem.users.list()).toEqual([{ userId: "ilse" }]);
    await simplemem.users.delete("ilse", { purge: true });
    expect((await store.get(["users", "ilse"], "k"))?.value).toEqual({ text: "kept" });
    expect(await simplemem.users.list()).toEqual([]);
    await store.forget(["users", "ilse"]);
    expect(await store.get(["users", "ilse"], "k")).toBeNull();
    await store.put(["users", "ilse"], "k", { text: "again" });
    await simplemem.reset({ confirm: true });
    expect(await store.search([])).toEqual([]);
    await store.put(["users", "ilse"], "k", { text: "new" });
    expect(await store.search(["users"], { query: "new" })).toMatchObject([{ key: "k", score: expect.any(Number) }]);
  });
});

describe("inside a graph", () => {
  it("R68: nodes put and search through runtime.store, and what they read survives in the state", async () => {
    const store = await open({ uri: "memory://" });
    const value = { text: "Ilse eats no meat.", a: false, b: 0, c: "", d: null, e: [] };
    const state = new StateSchema({ found: z.array(z.record(z.string(), z.unknown())).default([]) });
    const graph = new StateGraph(state)
      .addNode("write", async (_state, runtime) => {
        await runtime.store?.put(["users", "ilse"], "diet", value);
        return {};
      })
      .addNode("read", async (_state, runtime) => {
        const found = (await runtime.store?.search(["users", "ilse"], { query: "meat" })) ?? [];
        return { found: found.map((item) => item.value) };
      })
      .addEdge(START, "write")
      .addEdge("write", "read")
      .addEdge("read", END)
      .compile({ store });
    expect((await graph.invoke({})).found).toEqual([value]);
    expect((await store.get(["users", "ilse"], "diet"))?.value).toEqual(value);
  });
});
