import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import {
  BRAM,
  chunkRow,
  DIMENSION,
  EMBEDDER,
  entryRow,
  factOf,
  filesHolding,
  ILSE,
  NOON,
  temporaryFolder,
  turnOf,
  windowOf,
} from "../support/store.js";

const SENTINEL = "sentinel-quokka-9042";

let folder: string;
let remove: () => Promise<void>;
let store: MemoryStore;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  store = await openStore({ uri: folder });
  await store.ensureDimension(DIMENSION, EMBEDDER);
});

afterEach(async () => {
  await store.close();
  await remove();
});

describe("R58: removal of one user", () => {
  it("takes every row of that user, and none of another", async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => entryRow({ entryId: `e${index}` }));
    const turns = Array.from({ length: 350 }, (_, index) => turnOf({ dialogueId: `d${index}` }));
    await store.entries.put(ILSE, rows(350));
    await store.entries.put(BRAM, rows(5));
    await store.turns.insert(ILSE, turns);
    await store.turns.insert(BRAM, turns.slice(0, 5));
    expect(await store.entries.removeAll(ILSE)).toBe(350);
    expect(await store.turns.removeAll(ILSE)).toBe(350);
    expect((await store.entries.list(ILSE, {})).items).toEqual([]);
    expect((await store.entries.list(BRAM, {})).items).toHaveLength(5);
    expect(await store.turns.count(BRAM)).toBe(5);
    expect(await store.users()).toEqual([{ userId: "u-bram", tenantId: "" }]);
  });
});

describe("R59: scrub leaves the bytes of removed rows in no file", () => {
  it("one row among a thousand, in every table, with its indexes", async () => {
    const others = Array.from({ length: 1000 }, (_, index) => index);
    const text = `Ilse keeps the ${SENTINEL} at home`;
    const item = entryRow({ losslessRestatement: text }).entry;
    await store.entries.put(ILSE, [
      ...others.map((index) => entryRow({ entryId: `e${index}`, losslessRestatement: `boat ${index}` })),
      entryRow({ entryId: "gone", losslessRestatement: text, persons: [SENTINEL], keywords: [SENTINEL] }),
    ]);
    const turn = turnOf({ dialogueId: "gone", content: text, metadata: { note: SENTINEL } });
    await store.turns.insert(ILSE, [...others.map((index) => turnOf({ dialogueId: `d${index}` })), turn]);
    await store.chunks.put(ILSE, [
      ...others.map((index) => chunkRow(ILSE, { dialogueId: `d${index}` })),
      chunkRow(ILSE, { dialogueId: "gone", text, words: text }),
    ]);
    await store.inbox.push(ILSE, [turn, turnOf({ dialogueId: "d1" })], ["extract", "index"]);
    await store.ledger.insert(ILSE, [windowOf({ windowId: "gone", items: [item] }), windowOf()]);
    await store.facts.put(ILSE, factOf({ value: SENTINEL }));
    await store.facts.put(ILSE, factOf({ key: "kept" }));
    await store.optimize();
    expect(await filesHolding(folder, SENTINEL)).not.toEqual([]);

    expect(await store.entries.remove(ILSE, ["gone"])).toBe(1);
    expect(await store.turns.remove(ILSE, "s1", ["gone"])).toBe(1);
    expect(await store.chunks.remove(ILSE, "s1", ["gone"])).toBe(1);
    await store.inbox.remove(ILSE, "s1", ["gone"]);
    expect(await store.ledger.remove(ILSE, ["gone"])).toBe(1);
    expect(await store.facts.remove(ILSE, "s1", "diet")).toBe(true);
    await store.tombstones.bury(ILSE, "s1", [SENTINEL]);
    await store.scrub();

    expect(await filesHolding(folder, SENTINEL)).toEqual([]);
    expect(await filesHolding(folder, "quokka")).toEqual([]);
    expect(await store.entries.count(ILSE)).toEqual({ active: 1000 });
    expect(await store.entries.matching(ILSE, "boat", { limit: 2000, boosts: { words: 1 } })).toHaveLength(1000);
    expect(await store.turns.count(ILSE)).toBe(1000);
    expect(await store.inbox.count(ILSE, "extract")).toBe(1);
    expect(await store.tombstones.buried(ILSE, "s1", [SENTINEL, "d1"])).toEqual(new Set([SENTINEL]));
    expect(await store.tombstones.buried(BRAM, "s1", [SENTINEL])).toEqual(new Set());
  });

  it("a whole user leaves not even the id, also when the tables become empty", async () => {
    const scope = { ...ILSE, userId: SENTINEL };
    await store.entries.put(scope, [entryRow()]);
    await store.turns.insert(scope, [turnOf()]);
    await store.chunks.put(scope, [chunkRow(scope)]);
    await store.claims.acquire(`session of ${SENTINEL}`, { owner: "a", now: 1, leaseExpiresAt: 2 });
    await store.tombstones.bury(scope, "s1", ["d1"]);
    await store.entries.removeAll(scope);
    await store.turns.removeAll(scope);
    await store.chunks.removeAll(scope);
    await store.scrub();
    expect(await filesHolding(folder, SENTINEL)).toEqual([]);
    await store.entries.put(ILSE, [entryRow()]);
    expect(await store.entries.matching(ILSE, "heron", { limit: 5, boosts: { words: 1 } })).toHaveLength(1);
  });
});

describe("R37: maintenance", () => {
  async function filesOf(table: string, part: string): Promise<number> {
    return (await readdir(join(folder, `${table}.lance`, part))).length;
  }

  it("after 60 single adds leaves few files and versions, and every row found by both legs", async () => {
    for (let index = 0; index < 60; index += 1) {
      await store.entries.put(ILSE, [entryRow({ entryId: `e${index}` })]);
      await store.turns.insert(ILSE, [turnOf({ dialogueId: `d${index}` })]);
    }
    expect(await filesOf("entries", "_versions")).toBeGreaterThan(50);
    await store.optimize();
    for (const table of ["entries", "turns"]) {
      expect(await filesOf(table, "data")).toBeLessThanOrEqual(5);
      expect(await filesOf(table, "_versions")).toBeLessThanOrEqual(5);
    }
    expect(await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 100 })).toHaveLength(60);
    expect(await store.entries.matching(ILSE, "heron", { limit: 100, boosts: { words: 1 } })).toHaveLength(60);
  });

  it("beside ten adds and reads of another handle loses none", async () => {
    const other = await openStore({ uri: folder });
    await other.ensureDimension(DIMENSION, EMBEDDER);
    for (let index = 0; index < 20; index += 1) await store.entries.put(ILSE, [entryRow({ entryId: `e${index}` })]);
    await Promise.all([
      store.optimize(),
      ...Array.from({ length: 10 }, (_, index) => other.entries.put(ILSE, [entryRow({ entryId: `f${index}` })])),
      ...Array.from({ length: 10 }, () => other.entries.list(ILSE, {})),
    ]);
    expect(await store.entries.count(ILSE)).toEqual({ active: 30 });
    await other.close();
  });
});

describe("reset", () => {
  it("leaves an empty store that takes another length", async () => {
    await store.entries.put(ILSE, [entryRow()]);
    await store.turns.insert(ILSE, [turnOf()]);
    await store.reset();
    expect(store.dimension).toBeNull();
    expect(await store.users()).toEqual([]);
    await store.ensureDimension(8, "other");
    expect(store.dimension).toBe(8);
    expect((await store.entries.list(ILSE, {})).items).toEqual([]);
  });
});

describe("facts", () => {
  it("expired ones are left out of lists, not of the store", async () => {
    await store.facts.put(ILSE, factOf({ expiresAt: NOON }));
    await store.facts.put(ILSE, factOf({ key: "later", expiresAt: "2025-03-05T00:00:00.000Z", category: "trip" }));
    expect((await store.facts.list(ILSE, { now: NOON })).map((fact) => fact.key)).toEqual(["later"]);
    expect(await store.facts.list(ILSE, { now: NOON, category: "general" })).toEqual([]);
    expect(await store.facts.count(ILSE)).toBe(2);
  });
});
