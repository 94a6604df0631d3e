import { afterEach, describe, expect, it } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import {
  BRAM,
  chunkRow,
  DIMENSION,
  EMBEDDER,
  entryRow,
  ILSE,
  NOON,
  temporaryFolder,
  turnOf,
} from "../support/store.js";

const WORDS = { limit: 10, boosts: { words: 1, contextWords: 1, personWords: 1, keywordWords: 1 } };
const open: (() => Promise<void>)[] = [];

async function freshStore(): Promise<MemoryStore> {
  const { folder, remove } = await temporaryFolder();
  const store = await openStore({ uri: folder });
  await store.ensureDimension(DIMENSION, EMBEDDER);
  open.push(async () => {
    await store.close();
    await remove();
  });
  return store;
}

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

describe("R23: searches that can find nothing", () => {
  it("answer [] on empty tables", async () => {
    const store = await freshStore();
    expect(await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })).toEqual([]);
    expect(await store.entries.matching(ILSE, "heron", WORDS)).toEqual([]);
    expect(await store.chunks.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })).toEqual([]);
    expect(await store.chunks.matching(ILSE, "heron", WORDS)).toEqual([]);
    expect((await store.entries.list(ILSE, {})).items).toEqual([]);
  });

  it("answer [] read-only without a folder, and make none", async () => {
    const { folder, remove } = await temporaryFolder();
    await remove();
    const store = await openStore({ uri: folder, readOnly: true });
    expect(await store.entries.matching(ILSE, "heron", WORDS)).toEqual([]);
    expect(await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })).toEqual([]);
    expect(await store.turns.list(ILSE, {})).toEqual([]);
    expect(await store.users()).toEqual([]);
    expect(await store.bytes()).toBe(0);
    await expect(store.turns.insert(ILSE, [turnOf()])).rejects.toMatchObject({ name: "NotWritableError" });
    await store.close();
    const { existsSync } = await import("node:fs");
    expect(existsSync(folder)).toBe(false);
  });

  it("answer [] for blank texts, removed rows and filters that match nothing, also after maintenance", async () => {
    const store = await freshStore();
    await store.entries.put(ILSE, [entryRow({ entryId: "blank", losslessRestatement: "" })]);
    expect(await store.entries.matching(ILSE, "heron", WORDS)).toEqual([]);
    await store.entries.put(ILSE, [
      entryRow({ entryId: "banana", losslessRestatement: "banana boat" }),
      entryRow({ entryId: "monkey", losslessRestatement: "monkey" }),
    ]);
    await store.optimize();
    expect(await store.entries.remove(ILSE, ["banana"])).toBe(1);
    expect(await store.entries.matching(ILSE, "banana", WORDS)).toEqual([]);
    await store.optimize();
    expect(await store.entries.matching(ILSE, "banana", WORDS)).toEqual([]);
    expect(await store.entries.matching(ILSE, "monkey", { ...WORDS, filter: { persons: ["Nobody"] } })).toEqual([]);
    for (const words of ["", "   ", "\n", "AND OR NOT", "banana^^", '"(', "*"]) {
      expect(await store.entries.matching(ILSE, words, WORDS)).toEqual([]);
    }
    expect(await store.entries.remove(ILSE, ["blank", "monkey"])).toBe(2);
    await store.optimize();
    expect(await store.entries.matching(ILSE, "monkey", WORDS)).toEqual([]);
  });
});

describe("word search", () => {
  it("R25: an index made on the empty table finds later rows, and maintenance folds them in", async () => {
    const { folder, remove } = await temporaryFolder();
    const store = await openStore({ uri: folder });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    await store.entries.put(ILSE, [entryRow()]);
    expect(await store.entries.matching(ILSE, "heron", WORDS)).toHaveLength(1);
    for (let round = 0; round < 10; round += 1) {
      const rows = Array.from({ length: 30 }, (_, index) =>
        entryRow({ entryId: `r${round}-${index}`, losslessRestatement: `boat number${round}` }),
      );
      await store.entries.put(ILSE, rows);
    }
    await store.optimize();
    const lance = await import("@lancedb/lancedb");
    const table = await (await lance.connect(folder)).openTable("entries");
    const unindexed = (await table.listIndices()).map((index) => Number(index.numUnindexedRows));
    expect(unindexed).toEqual([0, 0, 0, 0]);
    expect(await store.entries.matching(ILSE, "heron", WORDS)).toHaveLength(1);
    expect(await store.entries.matching(ILSE, "number7", { ...WORDS, limit: 100 })).toHaveLength(30);
    await store.close();
    await remove();
  });

  it.each([
    ["绿茶", "tea"],
    ["東京", "tokyo"],
    ["남산", "namsan"],
    ["茶", "tea-one"],
  ])("R26: the word %s finds its row", async (query, expected) => {
    const store = await freshStore();
    await store.entries.put(ILSE, [
      entryRow({ entryId: "tea" }, { words: "我 每天 下午 喝 绿茶" }),
      entryRow({ entryId: "tokyo" }, { words: "来月 は 東京 に 引っ越し ます" }),
      entryRow({ entryId: "namsan" }, { words: "남산 에서 만나요" }),
      entryRow({ entryId: "tea-one" }, { words: "喝 茶" }),
    ]);
    const found = await store.entries.matching(ILSE, query, WORDS);
    expect(found.map(({ row }) => row.entryId)).toEqual([expected]);
  });

  it("boosts weigh the columns of folded rows, and a column without one is not searched", async () => {
    const store = await freshStore();
    await store.entries.put(ILSE, [
      entryRow({ entryId: "word" }, { words: "heron", personWords: "x" }),
      entryRow({ entryId: "person" }, { words: "x", personWords: "heron" }),
    ]);
    await store.optimize();
    const ids = async (boosts: { words?: number; personWords?: number }) =>
      (await store.entries.matching(ILSE, "heron", { limit: 5, boosts })).map(({ row }) => row.entryId);
    expect(await ids({ words: 1 })).toEqual(["word"]);
    expect(await ids({ words: 1, personWords: 3 })).toEqual(["person", "word"]);
    expect(await ids({ words: 3, personWords: 1 })).toEqual(["word", "person"]);
    expect(await ids({})).toEqual([]);
  });
});

describe("R34: no hidden limit", () => {
  it("lists, counts and searches see every row of the scope, also when others lie nearer", async () => {
    const store = await freshStore();
    const ofBram = Array.from({ length: 1225 }, (_, index) =>
      entryRow({ entryId: `b${index}`, createdAt: new Date(Date.parse(NOON) + (index % 100)).toISOString() }),
    );
    const ofIlse = Array.from({ length: 25 }, (_, index) =>
      entryRow({ entryId: `i${index}` }, { vector: [0.5, 1, 0, 0] }),
    );
    await store.entries.put(BRAM, ofBram);
    await store.entries.put(ILSE, ofIlse);
    await store.turns.insert(
      BRAM,
      Array.from({ length: 1225 }, (_, index) => turnOf({ dialogueId: `d${index}`, sequence: index })),
    );
    await store.chunks.put(
      BRAM,
      Array.from({ length: 120 }, (_, index) => chunkRow(BRAM, { dialogueId: `d${index}` })),
    );
    expect((await store.entries.list(BRAM, {})).items).toHaveLength(1225);
    expect(await store.entries.where(BRAM, {})).toHaveLength(1225);
    expect(
      await store.entries.byIds(
        BRAM,
        ofBram.map(({ entry }) => entry.entryId),
      ),
    ).toHaveLength(1225);
    expect(await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 20 })).toHaveLength(20);
    expect(await store.entries.matching(ILSE, "heron", { ...WORDS, limit: 20 })).toHaveLength(20);
    expect(await store.entries.nearest(BRAM, [1, 0, 0, 0], { limit: 2000 })).toHaveLength(1225);
    expect(await store.entries.matching(BRAM, "heron", { ...WORDS, limit: 2000 })).toHaveLength(1225);
    expect(await store.chunks.matching(BRAM, "heron", { ...WORDS, limit: 500 })).toHaveLength(120);
    expect([await store.entries.count(ILSE), await store.entries.count(BRAM)]).toEqual([
      { active: 25 },
      { active: 1225 },
    ]);
    expect(await store.turns.list(BRAM, {})).toHaveLength(1225);
    expect(await store.turns.byIds(BRAM, ["d0", "d1224"])).toHaveLength(2);
    expect((await store.turns.before(BRAM, "s1", 1000, 3)).map((turn) => turn.sequence)).toEqual([997, 998, 999]);
  });

  it("pages give each row once, in the order of creation, to the end", async () => {
    const store = await freshStore();
    const rows = Array.from({ length: 57 }, (_, index) =>
      entryRow({ entryId: `e${index}`, createdAt: new Date(Date.parse(NOON) + Math.floor(index / 7)).toISOString() }),
    );
    await store.entries.put(ILSE, rows);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.entries.list(ILSE, { limit: 10, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.items.map((entry) => entry.createdAt + entry.entryId));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(57);
    expect(seen.map((one) => one.slice(0, 24))).toEqual(rows.map(({ entry }) => entry.createdAt));
    await expect(store.entries.list(ILSE, { cursor: "nonsense" })).rejects.toMatchObject({ name: "InvalidInputError" });
  });

  it("persons are counted over all active entries, commonest first", async () => {
    const store = await freshStore();
    await store.entries.put(ILSE, [
      entryRow({ entryId: "1", persons: ["Bram", "Ilse"] }),
      entryRow({ entryId: "2", persons: ["Ilse"] }),
      entryRow({ entryId: "3", persons: ["Gone", "Gone too"], status: "superseded" }),
    ]);
    expect(await store.entries.persons(ILSE, 10)).toEqual(["Ilse", "Bram"]);
    expect(await store.entries.persons(ILSE, 1)).toEqual(["Ilse"]);
  });
});
