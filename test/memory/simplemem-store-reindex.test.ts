import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMemStore, type SimpleMemStoreOptions } from "../../src/memory/store.js";
import { FakeEmbeddings } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";

async function open(options: SimpleMemStoreOptions): Promise<SimpleMemStore> {
  const store = await SimpleMemStore.open({ embeddings: new FakeEmbeddings(), ...options });
  onTestFinished(() => store.stop());
  return store;
}

async function filledWithoutIndex(options: Partial<SimpleMemStoreOptions> = {}): Promise<string> {
  const uri = freshFolder();
  const store = await open({ uri, index: false, ...options });
  await store.put(["notes", "ilse"], "heron", { text: "The heron nests in the mill." });
  await store.put(["notes", "bram"], "bread", { text: "Rye bread is baked on Sundays." });
  await store.put(["counts"], "empty", { text: "" });
  await store.stop();
  return uri;
}

const scores = async (store: SimpleMemStore) =>
  (await store.search(["notes"], { query: "heron nests mill" })).map(({ key, score }) => [key, score !== undefined]);

describe("an index that comes later", () => {
  it("makes items searchable that were put without one, once, and changes nothing else of them", async () => {
    let now = 1_000_000;
    const uri = await filledWithoutIndex({ clock: () => now, ttl: { defaultTtl: 60 } });
    const store = await open({ uri, index: { fields: ["text"] }, clock: () => now, ttl: { refreshOnRead: false } });
    const before = await store.get(["notes", "ilse"], "heron");
    expect(await scores(store)).toEqual([
      ["heron", false],
      ["bread", false],
    ]);
    now += 59 * 60_000;
    expect(await store.reindex()).toBe(2);
    expect(await scores(store)).toEqual([
      ["heron", true],
      ["bread", true],
    ]);
    expect(await store.get(["notes", "ilse"], "heron")).toEqual(before);
    expect(await store.reindex()).toBe(0);
    now += 2 * 60_000;
    expect(await store.get(["notes", "ilse"], "heron")).toBeNull();
  });

  it("takes one namespace alone, and leaves items that were indexed with their own vectors", async () => {
    const uri = await filledWithoutIndex();
    const embeddings = new FakeEmbeddings();
    const store = await open({ uri, embeddings, index: { fields: ["text"] } });
    await store.put(["notes", "ilse"], "cats", { text: "Cats sleep by the stove." });
    expect(embeddings.texts).toEqual(["Cats sleep by the stove."]);
    expect(await store.reindex(["notes", "ilse"])).toBe(1);
    expect(embeddings.texts).toEqual(["Cats sleep by the stove.", "The heron nests in the mill."]);
    expect(Object.fromEntries(await scores(store))).toEqual({ heron: true, cats: true, bread: false });
  });

  it("gives an item that is written anew meanwhile no vector of its former value", async () => {
    const uri = await filledWithoutIndex();
    const embeddings = new FakeEmbeddings();
    const store = await open({ uri, embeddings, index: { fields: ["text"] } });
    const embed = embeddings.embedDocuments.bind(embeddings);
    embeddings.embedDocuments = async (texts) => {
      if (texts.includes("The heron nests in the mill.")) {
        await store.put(["notes", "ilse"], "heron", { text: "The heron left." }, false);
      }
      return embed(texts);
    };
    expect(await store.reindex(["notes"])).toBe(1);
    expect(Object.fromEntries(await scores(store))).toEqual({ heron: false, bread: true });
    expect((await store.get(["notes", "ilse"], "heron"))?.value).toEqual({ text: "The heron left." });
  });

  it("is refused by a store that was opened without one", async () => {
    const store = await open({ uri: "memory://", index: false });
    await expect(store.reindex()).rejects.toThrow(/index: false/);
  });
});

describe("a put that says how long its item lives", () => {
  it("is obeyed, beside the paths of its index, and keeps LangGraph's rules for labels", async () => {
    let now = 1_000_000;
    const store = await open({ uri: "memory://", clock: () => now, ttl: { defaultTtl: 10, refreshOnRead: false } });
    await store.put(["docs"], "short", { text: "a" }, undefined, { ttl: 1 });
    await store.put(["docs"], "usual", { text: "b" }, ["text"]);
    await store.put(["docs"], "eternal", { text: "c" }, false, { ttl: null });
    const keys = async () => (await store.search(["docs"])).map(({ key }) => key).sort();
    expect(await keys()).toEqual(["eternal", "short", "usual"]);
    now += 2 * 60_000;
    expect(await keys()).toEqual(["eternal", "usual"]);
    now += 20 * 60_000;
    expect(await keys()).toEqual(["eternal"]);
    await expect(store.put(["a.b"], "k", {}, undefined, { ttl: 1 })).rejects.toThrow(/periods/);
    await expect(store.put(["docs"], "k", {}, undefined, { ttl: 0 })).rejects.toThrow(/ttl/);
  });
});
