import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database, loadModules } from "../../src/store/connection.js";
import { ENTRIES, entryCells } from "../../src/store/entry-cells.js";
import { readableBy } from "../../src/store/filter.js";
import { type ExactScope, type MemoryStore, openStore } from "../../src/store/index.js";
import { StoreTable } from "../../src/store/table.js";
import { BRAM, chunkRow, entryRow, ILSE } from "../support/store.js";

const DIMENSION = 8;
const ROWS = 400;
const LATE = [9, -9, 9, -9, 9, -9, 9, -9];

/** Vectors that are the same in every run. */
function vectors(count: number, seed = 1): number[][] {
  let state = seed;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () => Array.from({ length: DIMENSION }, next));
}

function rowsOf(prefix: string, all: readonly number[][]) {
  return all.map((vector, index) => entryRow({ entryId: `${prefix}${index}` }, { vector }));
}

describe("the upkeep of vectors", () => {
  let store: MemoryStore;

  beforeEach(async () => {
    store = await openStore({ uri: "memory://" });
    await store.ensureDimension(DIMENSION, "test-embedder");
  });

  afterEach(() => store.close());

  it("R38: makes no index below the row count, nor of fewer rows than can train one", async () => {
    await store.entries.put(ILSE, rowsOf("e", vectors(200)));
    expect(await store.optimize({ vectorIndexFrom: 300 })).toMatchObject({ vectorIndexes: 0 });
    expect(await store.optimize({ vectorIndexFrom: 1 })).toMatchObject({ vectorIndexes: 0 });
    expect((await store.entries.nearest(ILSE, LATE, { limit: 3 })).length).toBe(3);
  });

  it("R25: leaves no row out of any index", async () => {
    await store.entries.put(ILSE, rowsOf("e", vectors(ROWS)));
    expect(await store.optimize({ vectorIndexFrom: ROWS })).toMatchObject({ vectorIndexes: 1, unindexedRows: 0 });
    await store.entries.put(ILSE, [entryRow({ entryId: "late" }, { vector: LATE })]);
    expect(await store.optimize({ vectorIndexFrom: ROWS })).toMatchObject({ vectorIndexes: 1, unindexedRows: 0 });
  });

  it("covers pieces of turns of which some have no vector", async () => {
    const rows = vectors(ROWS).map((vector, index) => chunkRow(ILSE, { dialogueId: `d${index}`, vector }));
    await store.chunks.put(ILSE, [...rows, chunkRow(ILSE, { dialogueId: "bare" })]);
    expect(await store.optimize({ vectorIndexFrom: ROWS })).toMatchObject({ vectorIndexes: 1, unindexedRows: 0 });
  });
});

/** Asked directly: the vectors of a small scope are compared in memory, and never come to the index. */
describe("a search through the index", () => {
  let table: StoreTable;
  let database: Database;

  const put = (scope: ExactScope, prefix: string, all: readonly number[][]) =>
    table.upsert(rowsOf(prefix, all).map((row) => entryCells(scope, row)));
  const nearest = async (scope: ExactScope, vector: readonly number[], limit: number) => {
    const [found = []] = await table.nearest([vector], readableBy(scope), { limit, columns: ["entry_id"] });
    return found.map(({ row, distance }) => ({ id: row.text("entry_id"), distance }));
  };

  beforeEach(async () => {
    database = new Database(await loadModules(), { uri: "memory://", whyReadOnly: null, oneAtATime: false });
    table = new StoreTable(database, ENTRIES);
    await table.create(DIMENSION);
    await put(BRAM, "b", vectors(ROWS));
    await put(ILSE, "i", vectors(5, 77));
    expect(await table.indexVectors(ROWS)).toBe(true);
  });

  afterEach(() => database.close());

  it("finds all rows of a narrow scope, and none of another's", async () => {
    const found = await nearest(ILSE, vectors(1)[0] ?? [], 10);
    expect(found.map(({ id }) => id).sort()).toEqual(["i0", "i1", "i2", "i3", "i4"]);
  });

  it("R25: finds rows that were added after it was built, before and after they are folded in", async () => {
    await put(ILSE, "late", [LATE]);
    expect(await table.unindexed()).toBeGreaterThan(0);
    expect((await nearest(ILSE, LATE, 1))[0]?.id).toBe("late0");
    await table.optimize(0);
    expect(await table.unindexed()).toBe(0);
    expect((await nearest(ILSE, LATE, 1))[0]?.id).toBe("late0");
  });

  it("tells true distances", async () => {
    const [own = []] = vectors(1, 77);
    const [first] = await nearest(ILSE, own, 1);
    expect(first?.id).toBe("i0");
    expect(first?.distance).toBeCloseTo(0, 5);
  });
});
