import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/index.js";
import { chunkRow, DIMENSION, EMBEDDER, entryRow, ILSE, temporaryFolder } from "../support/store.js";

const BAD: [string, number[], string][] = [
  ["too short", [1, 0, 0], "DimensionMismatchError"],
  ["too long", [1, 0, 0, 0, 0], "DimensionMismatchError"],
  ["empty", [], "InvalidVectorError"],
  ["zero", [0, 0, 0, 0], "InvalidVectorError"],
  ["holding NaN", [1, Number.NaN, 0, 0], "InvalidVectorError"],
  ["holding Infinity", [1, Number.POSITIVE_INFINITY, 0, 0], "InvalidVectorError"],
  ["beyond 32 bits", [1e39, 0, 0, 0], "InvalidVectorError"],
  ["zero in 32 bits", [1e-60, 0, 0, 0], "InvalidVectorError"],
];

describe("R29, R30: a vector that does not fit", () => {
  it.each(BAD)("%s: is refused in writes and searches, and the tables stay readable", async (_title, vector, name) => {
    const store = await openStore({ uri: "memory://" });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    await store.entries.put(ILSE, [entryRow()]);
    const good = entryRow({ entryId: "good" });
    await expect(store.entries.put(ILSE, [good, entryRow({ entryId: "bad" }, { vector })])).rejects.toMatchObject({
      name,
    });
    await expect(store.chunks.put(ILSE, [chunkRow(ILSE, { vector })])).rejects.toMatchObject({ name });
    await expect(store.entries.nearest(ILSE, vector, { limit: 5 })).rejects.toMatchObject({ name });
    await expect(store.entries.nearestBatch(ILSE, [[1, 0, 0, 0], vector], { limit: 5 })).rejects.toMatchObject({
      name,
    });
    await expect(store.chunks.nearest(ILSE, vector, { limit: 5 })).rejects.toMatchObject({ name });
    expect((await store.entries.list(ILSE, {})).items.map((entry) => entry.entryId)).toEqual(["e1"]);
    expect(await store.chunks.byTurns(ILSE, "s1", ["d1"])).toEqual([]);
    await store.close();
  });

  it("a wrong length is told with both numbers and the embedder", async () => {
    const store = await openStore({ uri: "memory://" });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    const refused = store.entries.nearest(ILSE, [1, 2, 3], { limit: 1 });
    await expect(refused).rejects.toThrow(/3 numbers.*vectors of 4.*test-embedder/);
    await expect(refused).rejects.toMatchObject({ expected: 4, actual: 3 });
    await store.close();
  });
});

describe("R74: a store is never dropped by surprise", () => {
  it("another length or embedder rejects with the way out, and every row is there afterwards", async () => {
    const { folder, remove } = await temporaryFolder();
    const first = await openStore({ uri: folder });
    expect(first.dimension).toBeNull();
    await first.ensureDimension(DIMENSION, EMBEDDER);
    expect(first.dimension).toBe(DIMENSION);
    await first.entries.put(ILSE, [entryRow()]);
    await first.close();

    const second = await openStore({ uri: folder });
    expect(second.dimension).toBe(DIMENSION);
    await expect(second.ensureDimension(16, "other")).rejects.toThrow(
      /4 numbers made by test-embedder.*other.*16.*reembed/,
    );
    await expect(second.ensureDimension(DIMENSION, "other")).rejects.toMatchObject({ name: "DimensionMismatchError" });
    await second.close();

    const third = await openStore({ uri: folder });
    await third.ensureDimension(DIMENSION, EMBEDDER);
    expect(await third.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })).toHaveLength(1);
    await third.close();
    await remove();
  });

  it("of several handles that settle the length at once, one wins and the others agree or reject", async () => {
    const { folder, remove } = await temporaryFolder();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ uri: folder })));
    await Promise.all(stores.map((store) => store.ensureDimension(DIMENSION, EMBEDDER)));
    await Promise.all(stores.map((store, index) => store.entries.put(ILSE, [entryRow({ entryId: `e${index}` })])));
    for (const store of stores) {
      expect(await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 9 })).toHaveLength(4);
      await store.close();
    }
    await remove();
  });
});
