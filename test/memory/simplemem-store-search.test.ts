import { afterEach, describe, expect, it, vi } from "vitest";
import { type SimpleMemPutOperation, SimpleMemStore, type SimpleMemStoreOptions } from "../../src/memory/store.js";
import { FakeEmbeddings } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";

const MINUTE = 60_000;
const opened: SimpleMemStore[] = [];

/** Two directions: fruit, and what is none. Other texts lie between them. */
function directions(text: string): number[] {
  if (text === "void") return [0, 0];
  if (text === "apple") return [1, 0];
  return text === "banana" ? [0, 1] : [3, 4];
}

function fruitEmbeddings(): FakeEmbeddings {
  return new FakeEmbeddings(2, directions);
}

async function open(options: Partial<SimpleMemStoreOptions> = {}): Promise<SimpleMemStore> {
  const store = await SimpleMemStore.open({ uri: "memory://", ...options });
  opened.push(store);
  return store;
}

/** A store that embeds these fields by `directions`. */
function fruitStore(fields: readonly string[] = ["text"], embeddings = fruitEmbeddings()): Promise<SimpleMemStore> {
  return open({ index: { dims: 2, embeddings, fields } });
}

async function ranked(store: SimpleMemStore, query = "apple", page: { limit?: number; offset?: number } = {}) {
  const found = await store.search(["docs"], { query, limit: 100, ...page });
  return found.map(({ key, score }) => [key, score === undefined ? null : Math.round(score * 1000) / 1000]);
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.stop();
});

describe("search by meaning", () => {
  it("without any setting ranks whole values with the local embeddings, and no network", async () => {
    const store = await open();
    await store.put(["docs"], "pets", { text: "Bram feeds his dog every morning." });
    await store.put(["docs"], "money", { text: "The invoice is due in March." });
    const found = await store.search(["docs"], { query: "Which payments are due?" });
    expect(found.map((item) => item.key)).toEqual(["money", "pets"]);
    expect(found[0]?.score).toBeLessThanOrEqual(1);
    expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1);
  });

  it("ranks an item by the best of its texts, and lists it once", async () => {
    const store = await fruitStore(["title", "chapters[*].text"]);
    await store.put(["docs"], "late", { title: "banana", chapters: [{ text: "banana" }, { text: "apple" }] });
    await store.put(["docs"], "between", { title: "pear", chapters: [] });
    await store.put(["docs"], "none", { title: "banana" });
    expect(await ranked(store)).toEqual([
      ["late", 1],
      ["between", 0.6],
      ["none", 0],
    ]);
  });

  it.each([
    ["title", { title: "apple" }],
    ["meta.title", { meta: { title: "apple" } }],
    ["list[0]", { list: ["apple", "banana"] }],
    ["list[-1]", { list: ["banana", "apple"] }],
    ["list[*]", { list: ["banana", "apple"] }],
    ["people[0].name", { people: [{ name: "apple" }] }],
    ["*", { any: "apple" }],
    ["{a,b.c}", { b: { c: "apple" } }],
    ["$.title", { title: "apple" }],
  ])("the path %s finds the text in %j", async (path, value) => {
    const store = await fruitStore([path]);
    await store.put(["docs"], "k", value);
    expect(await ranked(store)).toEqual([["k", 1]]);
  });

  it.each([
    ["a missing field", { other: "apple" }],
    ["null", { text: null }],
    ["a blank text", { text: "  " }],
    ["a text of which the embedder makes a zero vector", { text: "void" }],
  ])("%s has no score, and the item is found after those that have one", async (_name, value) => {
    const store = await fruitStore();
    await store.put(["docs"], "without", value);
    await store.put(["docs"], "with", { text: "banana" });
    expect(await ranked(store)).toEqual([
      ["with", 0],
      ["without", null],
    ]);
  });

  it("numbers, flags, lists and objects at a path are embedded as text", async () => {
    const embeddings = fruitEmbeddings();
    const store = await fruitStore(["n", "flag", "list", "$"], embeddings);
    await store.put(["docs"], "k", { n: 7, flag: false, list: [1] });
    expect(embeddings.texts).toEqual([
      "7",
      "false",
      "[\n  1\n]",
      JSON.stringify({ n: 7, flag: false, list: [1] }, null, 2),
    ]);
  });

  it("pages through scored items, then through the others in the order of creation", async () => {
    const store = await fruitStore();
    await store.put(["docs"], "plain1", { text: "apple" }, false);
    await store.put(["docs"], "far", { text: "banana" });
    await store.put(["docs"], "plain2", { text: "apple" }, false);
    await store.put(["docs"], "near", { text: "apple" });
    const all = [
      ["near", 1],
      ["far", 0],
      ["plain1", null],
      ["plain2", null],
    ];
    for (const offset of [0, 1, 2, 3, 4, 8]) {
      expect(await ranked(store, "apple", { offset, limit: 2 })).toEqual(all.slice(offset, offset + 2));
      expect(await ranked(store, "apple", { offset, limit: 0 })).toEqual([]);
    }
    expect(await ranked(store, "apple", { limit: Number.POSITIVE_INFINITY })).toEqual(all);
  });

  it("filters before it counts: a match far down the ranking is found", async () => {
    const store = await fruitStore();
    const others = Array.from({ length: 120 }, (_, index) => ({
      namespace: ["docs"],
      key: `other${index}`,
      value: { text: "apple", size: 1 },
    }));
    await store.batch([...others, { namespace: ["docs"], key: "big", value: { text: "banana", size: 9 } }]);
    await store.put(["docs", "below"], "below", { text: "pear", size: 9 });
    await store.put(["docsx"], "elsewhere", { text: "apple", size: 9 });
    const found = await store.search(["docs"], { query: "apple", filter: { size: { $gt: 5 } }, limit: 2 });
    expect(found.map((item) => item.key)).toEqual(["below", "big"]);
    const equal = await store.search(["docs"], { query: "apple", filter: { size: 9 }, limit: 1 });
    expect(equal.map((item) => item.key)).toEqual(["below"]);
  });

  it.each(["", "   ", "void"])("the query %j ranks nothing", async (query) => {
    const store = await fruitStore();
    await store.put(["docs"], "first", { text: "banana" });
    await store.put(["docs"], "second", { text: "apple" });
    expect(await ranked(store, query)).toEqual([
      ["first", null],
      ["second", null],
    ]);
  });

  it("with index: false no embedder is asked, and a query ranks nothing", async () => {
    const embeddings = fruitEmbeddings();
    const store = await open({ embeddings, index: false });
    await store.put(["docs"], "k", { text: "apple" }, ["text"]);
    expect(await ranked(store)).toEqual([["k", null]]);
    expect(embeddings.texts).toEqual([]);
  });
});

describe("what a put indexes", () => {
  it.each([
    ["index: false", { text: "banana" }, false, null],
    ["an empty list", { text: "banana" }, [], null],
    ["a missing field", { other: "banana" }, undefined, null],
    ["another field", { text: "apple", other: "banana" }, ["other"], 0],
    ["the same field", { text: "banana" }, undefined, 0],
  ] as const)("%s replaces the vectors that were there", async (_name, value, index, score) => {
    const store = await fruitStore();
    await store.put(["docs"], "doc", { text: "apple" });
    await store.put(["docs"], "doc", value, typeof index === "object" ? [...index] : index);
    expect(await ranked(store)).toEqual([["doc", score]]);
    expect((await store.get(["docs"], "doc"))?.value).toEqual(value);
  });

  it("fewer texts than before leave no old vector behind, nor does a delete", async () => {
    const store = await fruitStore(["texts[*]"]);
    await store.put(["docs"], "doc", { texts: ["banana", "apple"] });
    await store.put(["docs"], "doc", { texts: ["banana"] });
    expect(await ranked(store)).toEqual([["doc", 0]]);
    await store.put(["docs"], "doc", { texts: ["apple"] });
    await store.delete(["docs"], "doc");
    await store.put(["docs"], "doc", { texts: [] });
    expect(await ranked(store)).toEqual([["doc", null]]);
  });

  it("one batch asks the embedder once, for each text that is still wanted", async () => {
    const embeddings = fruitEmbeddings();
    const store = await fruitStore(["texts[*]"], embeddings);
    await store.batch([
      { namespace: ["docs"], key: "first", value: { texts: ["banana", "banana"] } },
      { namespace: ["docs"], key: "second", value: { texts: ["banana"] } },
      { namespace: ["docs"], key: "second", value: { texts: ["apple"] } },
      { namespace: ["docs"], key: "plain", value: { texts: ["pear"] }, index: false },
      { namespace: ["docs"], key: "gone", value: { texts: ["plum"] } },
      { namespace: ["docs"], key: "gone", value: null },
    ]);
    expect(embeddings.documentCalls).toBe(1);
    expect(embeddings.texts).toEqual(["banana", "apple"]);
    expect(await ranked(store)).toEqual([
      ["second", 1],
      ["first", 0],
      ["plain", null],
    ]);
  });

  it.each([
    ["rejects", async () => Promise.reject(new Error("embedder is down")), /embedder is down/],
    ["gives too few vectors", async () => [[0, 1]], /1 vectors for 2 texts/],
    ["gives a vector of another length", async () => [[0, 1], [1]], /dims is 2.*1 numbers/],
    [
      "gives a vector that is no number",
      async () => [
        [0, 1],
        [Number.NaN, 1],
      ],
      /not a finite number/,
    ],
    ["gives an empty vector", async () => [[0, 1], []], /empty vector/],
  ])("when the embedder %s nothing of the batch is written", async (_name, embedDocuments, message) => {
    const embeddings = fruitEmbeddings();
    const store = await fruitStore(["text"], embeddings);
    await store.put(["docs"], "doc", { text: "apple" });
    vi.spyOn(embeddings, "embedDocuments").mockImplementationOnce(embedDocuments);
    const refused = store.batch([
      { namespace: ["docs"], key: "plain", value: {}, index: false },
      { namespace: ["docs"], key: "doc", value: { text: "banana" } },
      { namespace: ["docs"], key: "new", value: { text: "cherry" } },
    ]);
    await expect(refused).rejects.toThrow(message);
    expect(await ranked(store)).toEqual([["doc", 1]]);
    expect((await store.get(["docs"], "doc"))?.value).toEqual({ text: "apple" });
  });

  it("a folder keeps its embedder: another one is refused by name, and nothing is changed", async () => {
    const uri = freshFolder();
    const store = await open({ uri, index: { dims: 2, embeddings: fruitEmbeddings(), fields: ["text"] } });
    await store.put(["docs"], "doc", { text: "apple" });
    await store.stop();
    await expect(SimpleMemStore.open({ uri })).rejects.toThrow(/fake-2.*simplemem-local-en-100d-v1/);
    const plain = await open({ uri, index: false });
    expect((await plain.get(["docs"], "doc"))?.value).toEqual({ text: "apple" });
  });

  it("the length of the vectors need not be told", async () => {
    const store = await open({ embeddings: fruitEmbeddings(), index: { fields: ["text"] } });
    await store.put(["docs"], "doc", { text: "apple" });
    expect(await ranked(store)).toEqual([["doc", 1]]);
  });
});

describe("items that expire", () => {
  it("live for the default time, for that of their put, or for ever, and are swept from the disk", async () => {
    let now = Date.parse("2025-03-04T12:00:00Z");
    const store = await open({ index: false, ttl: { defaultTtl: 10, refreshOnRead: false }, clock: () => now });
    await store.put(["docs"], "default", {});
    const puts: SimpleMemPutOperation[] = [
      { namespace: ["docs"], key: "short", value: {}, ttl: 1 },
      { namespace: ["docs"], key: "eternal", value: {}, ttl: null },
    ];
    await store.batch(puts);
    const keys = async () => (await store.search(["docs"])).map((item) => item.key);
    now += MINUTE - 1;
    expect(await keys()).toEqual(["default", "short", "eternal"]);
    now += 1;
    expect(await keys()).toEqual(["default", "eternal"]);
    now += 9 * MINUTE;
    expect(await keys()).toEqual(["eternal"]);
    expect(await store.get(["docs"], "default")).toBeNull();
    expect(await store.sweep()).toBe(2);
    expect(await store.sweep()).toBe(0);
  });

  it("a get or a search lets them live anew, unless refreshOnRead is off; listing does not", async () => {
    for (const refreshOnRead of [undefined, true, false]) {
      let now = Date.parse("2025-03-04T12:00:00Z");
      const ttl = { defaultTtl: 10, ...(refreshOnRead === undefined ? {} : { refreshOnRead }) };
      const store = await open({ index: false, ttl, clock: () => now });
      await store.batch(["got", "found", "listed"].map((key) => ({ namespace: [key], key, value: {} })));
      now += 6 * MINUTE;
      await store.get(["got"], "got");
      await store.search(["found"]);
      await store.listNamespaces();
      now += 6 * MINUTE;
      const left = (await store.listNamespaces()).flat();
      expect(left).toEqual(refreshOnRead === false ? [] : ["found", "got"]);
    }
  });

  it.each([
    ["a write after the sweep interval", 31, async (store: SimpleMemStore) => store.put(["docs"], "new", {}), 0],
    ["a write before it is over", 29, async (store: SimpleMemStore) => store.put(["docs"], "new", {}), 1],
    ["start", 29, async (store: SimpleMemStore) => store.start(), 0],
  ])("%s: what has expired since is gone from the disk or not", async (_name, minutes, act, left) => {
    let now = Date.parse("2025-03-04T12:00:00Z");
    const options = { uri: freshFolder(), index: false, ttl: { sweepIntervalMinutes: 30 }, clock: () => now } as const;
    const store = await open(options);
    const mortal: SimpleMemPutOperation = { namespace: ["docs"], key: "old", value: {}, ttl: 1 };
    await store.batch([mortal]);
    now += minutes * MINUTE;
    await act(store);
    await store.stop();
    const again = await open(options);
    expect(await again.sweep()).toBe(left);
  });

  it.each([0, -1, Number.NaN])("a ttl of %j is refused", async (ttl) => {
    const store = await open({ index: false });
    const operation: SimpleMemPutOperation = { namespace: ["docs"], key: "k", value: {}, ttl };
    await expect(store.batch([operation])).rejects.toMatchObject({ name: "InvalidInputError" });
    const refused = SimpleMemStore.open({ uri: "memory://", ttl: { defaultTtl: ttl } });
    await expect(refused).rejects.toMatchObject({ name: "InvalidInputError" });
  });
});
