import {
  AsyncBatchedStore,
  type GetOperation,
  InvalidNamespaceError,
  type Operation,
} from "@langchain/langgraph-checkpoint";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SimpleMemStore } from "../../src/memory/store.js";

let store: SimpleMemStore;

async function fresh(): Promise<void> {
  store = await SimpleMemStore.open({ uri: "memory://" });
}

function put(namespace: string[], key: string, value: Record<string, unknown> = {}): Operation {
  return { namespace, key, value };
}

async function putAll(...namespaces: string[][]): Promise<void> {
  await store.batch(namespaces.map((namespace, index) => put(namespace, `${index}`, { index })));
}

describe("the methods of a BaseStore", () => {
  beforeEach(fresh);
  afterEach(() => store.stop());

  it("put, get, search, delete: an item as InMemoryStore gives it", async () => {
    expect(await store.put(["test"], "123", { value: 1 })).toBeUndefined();
    await store.put(["test"], "456", { value: 2 });
    const item = {
      value: { value: 1 },
      key: "123",
      namespace: ["test"],
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    };
    expect(await store.get(["test"], "123")).toEqual(item);
    expect(await store.search(["test"])).toEqual([item, { ...item, key: "456", value: { value: 2 } }]);
    expect(await store.delete(["test"], "123")).toBeUndefined();
    expect(await store.get(["test"], "123")).toBeNull();
    expect(await store.get(["nowhere"], "123")).toBeNull();
    await store.delete(["test"], "123");
    expect(await store.search(["test"])).toHaveLength(1);
  });

  it("a put on a known key replaces the value, and keeps place and birth", async () => {
    await store.put(["docs"], "doc1", { title: "Original", draft: true });
    await store.put(["docs"], "doc2", {});
    const before = await store.get(["docs"], "doc1");
    await store.put(["docs"], "doc1", { title: "Updated" });
    const after = await store.get(["docs"], "doc1");
    expect(after?.value).toEqual({ title: "Updated" });
    expect(after?.createdAt).toEqual(before?.createdAt);
    expect((await store.search(["docs"])).map((item) => item.key)).toEqual(["doc1", "doc2"]);
  });

  it("the methods hand their options and defaults to batch", async () => {
    const batch = vi.spyOn(store, "batch");
    await store.search(["test"]);
    await store.search(["test"], { limit: 20, offset: 5, filter: { key: "value" } });
    await store.listNamespaces({ prefix: ["a"], suffix: ["c"], maxDepth: 2, limit: 5, offset: 1 });
    const conditions = [
      { matchType: "prefix", path: ["a"] },
      { matchType: "suffix", path: ["c"] },
    ];
    expect(batch.mock.calls).toEqual([
      [[{ namespacePrefix: ["test"], limit: 10, offset: 0 }]],
      [[{ namespacePrefix: ["test"], limit: 20, offset: 5, filter: { key: "value" } }]],
      [[{ matchConditions: conditions, maxDepth: 2, limit: 5, offset: 1 }]],
    ]);
  });

  it("R68: falsy values, lists and unusual keys come back as they were, in a copy", async () => {
    const value = { a: false, b: 0, c: "", d: null, e: [], f: {}, "": "blank key", "a.b": "ü🪶", lone: "\ud800" };
    await store.put(["test"], "k'\"\\%\u0000\n", value);
    const [found] = await store.search(["test"]);
    expect(found?.value).toEqual(value);
    expect(found?.key).toBe("k'\"\\%\u0000\n");
    Object.assign(found?.value ?? {}, { a: true });
    expect((await store.get(["test"], "k'\"\\%\u0000\n"))?.value).toEqual(value);
    for (const falsy of [0, "", false]) {
      const results = await store.batch([
        { ...put(["falsy"], "k"), value: falsy } as never,
        { namespace: ["falsy"], key: "k" },
      ]);
      expect(results[1]).toMatchObject({ value: falsy });
    }
  });

  it("refuses what JSON cannot hold, and writes nothing of that batch", async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const bad of [{ n: 1n }, circle]) {
      const refused = store.batch([put(["test"], "good", {}), put(["test"], "bad", bad)]);
      await expect(refused).rejects.toMatchObject({ name: "InvalidInputError" });
    }
    expect(await store.search([])).toEqual([]);
  });
});

describe("namespaces", () => {
  beforeEach(fresh);
  afterEach(() => store.stop());

  it("are listed in order, by prefix, suffix and both, with wildcards, cut at a depth, in pages", async () => {
    await putAll(["x", "y", "z"], ["a", "c", "e"], ["a", "b", "c"], ["a", "b", "d"], ["a", "b", "d"], ["a", "b"]);
    const all = [
      ["a", "b"],
      ["a", "b", "c"],
      ["a", "b", "d"],
      ["a", "c", "e"],
      ["x", "y", "z"],
    ];
    expect(await store.listNamespaces({})).toEqual(all);
    expect(await store.listNamespaces({ prefix: ["a", "b"] })).toEqual(all.slice(0, 3));
    expect(await store.listNamespaces({ suffix: ["d"] })).toEqual([["a", "b", "d"]]);
    expect(await store.listNamespaces({ prefix: ["a"], suffix: ["e"] })).toEqual([["a", "c", "e"]]);
    expect(await store.listNamespaces({ prefix: ["a"], suffix: ["c"], maxDepth: 2 })).toEqual([["a", "b"]]);
    expect(await store.listNamespaces({ prefix: ["a", "*", "c"] })).toEqual([["a", "b", "c"]]);
    expect(await store.listNamespaces({ suffix: ["*", "z"] })).toEqual([["x", "y", "z"]]);
    expect(await store.listNamespaces({ prefix: ["*", "b"], suffix: ["d", "*"] })).toEqual([]);
    expect(await store.listNamespaces({ maxDepth: 2 })).toEqual([
      ["a", "b"],
      ["a", "c"],
      ["x", "y"],
    ]);
    expect(await store.listNamespaces({ limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
    expect(await store.listNamespaces({ offset: 4 })).toEqual(all.slice(4));
    expect(await store.listNamespaces({ prefix: ["non", "existent"] })).toEqual([]);
    await store.delete(["x", "y", "z"], "0");
    expect(await store.listNamespaces({ prefix: ["x"] })).toEqual([]);
  });

  it.each([[[]], [["the", "thing.about"]], [["some", "fun", ""]], [["langgraph", "foo"]], [["tenant:alice"]]])(
    "put refuses %j",
    async (namespace) => {
      await expect(store.put(namespace, "foo", {})).rejects.toThrow(InvalidNamespaceError);
      expect(await store.search([])).toEqual([]);
    },
  );

  it("batch refuses empty and blank labels before it does anything", async () => {
    for (const namespace of [[], [""], ["a", "b\0"], [7], "a"]) {
      const operations = [put(["good"], "k"), { ...put(["a"], "k"), namespace } as never];
      await expect(store.batch(operations)).rejects.toThrow(InvalidNamespaceError);
    }
    expect(await store.search([])).toEqual([]);
  });

  it("the reserved word is a label like others below the root, and in batch", async () => {
    const doc = { foo: "bar" };
    await store.put(["foo", "langgraph", "foo"], "bar", doc);
    expect((await store.get(["foo", "langgraph", "foo"], "bar"))?.value).toEqual(doc);
    expect((await store.search(["foo", "langgraph", "foo"]))[0]?.value).toEqual(doc);
    await store.delete(["foo", "langgraph", "foo"], "bar");
    expect(await store.get(["foo", "langgraph", "foo"], "bar")).toBeNull();
    await store.batch([put(["langgraph", "foo"], "bar", doc)]);
    expect((await store.get(["langgraph", "foo"], "bar"))?.value).toEqual(doc);
    expect((await store.search(["langgraph", "foo"]))[0]?.value).toEqual(doc);
    await store.delete(["langgraph", "foo"], "bar");
    expect(await store.get(["langgraph", "foo"], "bar")).toBeNull();
  });

  it("R54: no namespace is taken for another", async () => {
    const users = ["u1", "u10", "u1:x", "u1%", "U1", "u1 ", "u_", "*"];
    const namespaces = [...users.map((user) => ["users", user]), ["a", "b:c"], ["a", "b", "c"], ["a.b", "c"]];
    await store.batch(namespaces.map((namespace) => put(namespace, "k", { mine: namespace })));
    for (const namespace of namespaces) {
      const [get] = await store.batch([{ namespace, key: "k" }]);
      const [search = []] = await store.batch([{ namespacePrefix: namespace, limit: 100, offset: 0 }]);
      expect(get?.value).toEqual({ mine: namespace });
      expect(search.map((item) => item.namespace)).toEqual([namespace]);
    }
    await store.delete(["users", "u1"], "k");
    expect(await store.forget(["users", "U1"])).toBe(1);
    expect(await store.search([], { limit: 100 })).toHaveLength(namespaces.length - 2);
  });

  it("forget removes a namespace with all below it, and refuses to remove everything", async () => {
    await putAll(["a"], ["a", "b"], ["ab"], ["b", "a"]);
    expect(await store.forget(["a"])).toBe(2);
    expect(await store.listNamespaces()).toEqual([["ab"], ["b", "a"]]);
    await expect(store.forget([])).rejects.toThrow(InvalidNamespaceError);
    expect(await store.listNamespaces()).toHaveLength(2);
  });
});

describe("batch", () => {
  beforeEach(fresh);
  afterEach(() => store.stop());

  it("each operation sees what those before it wrote; a put gives undefined", async () => {
    const get: GetOperation = { namespace: ["batch"], key: "item1" };
    const search = { namespacePrefix: ["batch"], limit: 10, offset: 0 };
    const results = await store.batch([
      get,
      put(["batch"], "item1", { num: 1 }),
      put(["batch"], "item2", { num: 2 }),
      get,
      search,
      { limit: 10, offset: 0 },
      put(["batch"], "item1", { num: 3 }),
      { namespace: ["batch"], key: "item2", value: null },
      get,
      search,
    ] as Operation[]);
    expect(results).toMatchObject([
      null,
      undefined,
      undefined,
      { value: { num: 1 } },
      [{ key: "item1" }, { key: "item2" }],
      [["batch"]],
      undefined,
      undefined,
      { value: { num: 3 } },
      [{ key: "item1", value: { num: 3 } }],
    ]);
  });

  it("of several writes in a row on one place the last one stands", async () => {
    await store.batch([
      put(["a"], "put", { n: 1 }),
      { namespace: ["a"], key: "put", value: null },
      put(["a"], "put", { n: 2 }),
      put(["a"], "gone", { n: 1 }),
      { namespace: ["a"], key: "gone", value: null },
    ]);
    expect((await store.search(["a"])).map((item) => item.value)).toEqual([{ n: 2 }]);
  });

  it("an empty batch is none", async () => {
    expect(await store.batch([])).toEqual([]);
  });

  it("inside a graph concurrent calls become one batch", async () => {
    const batched = new AsyncBatchedStore(store);
    batched.start();
    await batched.put(["a"], "1", { n: 1 });
    const batch = vi.spyOn(store, "batch");
    const results = await Promise.all([batched.get(["a"], "1"), batched.search(["a"]), batched.search(["b"])]);
    expect(results).toMatchObject([{ value: { n: 1 } }, [{ key: "1" }], []]);
    expect(batch).toHaveBeenCalledTimes(1);
    await batched.stop();
  });
});

describe("search by filter", () => {
  const search = async (filter: Record<string, unknown>, more: { limit?: number; offset?: number } = {}) =>
    (await store.search(["products"], { filter, limit: 100, ...more })).map((item) => item.key);

  beforeAll(async () => {
    await fresh();
    await store.batch([
      put(["products"], "budget", { price: 29.99, category: "electronics", tags: ["a", "b"] }),
      put(["products"], "standard", { price: 99.99, category: "electronics", stock: 0 }),
      put(["products"], "premium", { price: 299.99, category: "electronics", stock: null, maker: { city: "Graz" } }),
      put(["products"], "book", { price: 19.99, category: "books", used: false }),
      put(["products", "old"], "relic", { price: 1, category: "electronics" }),
      put(["productsx"], "other", { price: 1, category: "electronics" }),
    ]);
  });
  afterAll(() => store.stop());

  it.each([
    [{ category: "electronics" }, ["budget", "standard", "premium", "relic"]],
    [{ category: "nonexistent" }, []],
    [{ price: { $gt: 100 } }, ["premium"]],
    [{ price: { $gte: 99.99 } }, ["standard", "premium"]],
    [{ price: { $lt: 19.99 } }, ["relic"]],
    [{ price: { $lte: 29.99 } }, ["budget", "book", "relic"]],
    [{ price: { $gt: 20, $lt: 100 } }, ["budget", "standard"]],
    [{ category: "electronics", price: { $gte: 50 } }, ["standard", "premium"]],
    [{ category: { $eq: "books" } }, ["book"]],
    [{ category: { $ne: "electronics" } }, ["book"]],
    [{ stock: { $ne: 0 } }, ["budget", "premium", "book", "relic"]],
    [{ category: { $in: ["books", "toys"] } }, ["book"]],
    [{ category: { $nin: ["electronics"] } }, ["book"]],
    [{ stock: 0 }, ["standard"]],
    [{ stock: null }, ["premium"]],
    [{ used: false }, ["book"]],
    [{ used: 0 }, []],
    [{ tags: ["a", "b"] }, ["budget"]],
    [{ tags: ["a"] }, []],
    [{ maker: { city: "Graz" } }, ["premium"]],
    [{ maker: { city: "Wien" } }, []],
    [{ category: { $gt: "books" } }, []],
    [{}, ["budget", "standard", "premium", "book", "relic"]],
  ])("%j finds %j", async (filter, keys) => {
    expect(await search(filter)).toEqual(keys);
  });

  it("limit and offset page through what the filter left", async () => {
    expect(await search({ price: { $gt: 20 } }, { limit: 2 })).toEqual(["budget", "standard"]);
    expect(await search({ price: { $gt: 20 } }, { limit: 2, offset: 2 })).toEqual(["premium"]);
    expect(await search({}, { offset: 9 })).toEqual([]);
    expect(await search({}, { limit: 0 })).toEqual([]);
    expect(await store.search([], { limit: 100 })).toHaveLength(6);
  });

  it.each([{ limit: -1 }, { limit: 1.5 }, { offset: Number.NaN }])("refuses %j", async (page) => {
    await expect(search({}, page)).rejects.toMatchObject({ name: "InvalidInputError" });
  });

  it("an operator that is not known is refused with the known ones", async () => {
    await expect(search({ price: { $above: 1 } })).rejects.toThrow(/\$eq.*\$above/);
  });
});
