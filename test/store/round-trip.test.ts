import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import {
  BRAM,
  chunkRow,
  DIMENSION,
  EMBEDDER,
  entryOf,
  entryRow,
  factOf,
  ILSE,
  NOON,
  temporaryFolder,
  turnOf,
  windowOf,
} from "../support/store.js";

describe("what is written is read back", () => {
  let store: MemoryStore;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const temporary = await temporaryFolder();
    remove = temporary.remove;
    store = await openStore({ uri: temporary.folder });
    await store.ensureDimension(DIMENSION, EMBEDDER);
  });

  afterAll(async () => {
    await store.close();
    await remove();
  });

  it("R32: empty, full and changing optional fields come back deep-equal", async () => {
    const bare = entryOf({ entryId: "bare", createdAt: "2025-03-04T12:00:01.000Z" });
    const full = entryOf({
      entryId: "full",
      createdAt: "2025-03-04T12:00:02.000Z",
      keywords: ["heron", "mill"],
      timestamp: "2025-03-01T00:00:00.000Z",
      timestampEnd: "2025-03-02T00:00:00.000Z",
      location: "Porthaven",
      persons: ["Ilse Corrin"],
      entities: ["Mill"],
      topic: "birds",
      attributes: { amount: "3" },
      sourceIds: ["d1", "d2"],
      pinned: true,
      validFrom: NOON,
      validTo: NOON,
      expiresAt: NOON,
      supersedes: ["a"],
      supersededBy: "b",
      derivedFrom: ["c"],
      accessCount: 7,
      lastAccessedAt: NOON,
      metadata: { n: 1, deep: { list: [1, "two", null], on: true } },
    });
    const changed = entryOf({ entryId: "changed", createdAt: "2025-03-04T12:00:03.000Z", metadata: { n: "two" } });
    for (const entry of [bare, full, changed]) await store.entries.put(ILSE, [entryRow(entry)]);
    const { items } = await store.entries.list(ILSE, {});
    expect(items).toEqual([bare, full, changed]);
    const [row] = await store.entries.rows(ILSE, ["full"]);
    expect(row).toEqual(entryRow(full));
  });

  it("turns, inbox, ledger, facts and chunks come back deep-equal and only to their scope", async () => {
    const turn = turnOf({ metadata: { mood: "calm" } });
    const window = windowOf();
    const chunk = chunkRow(ILSE);
    await store.turns.insert(ILSE, [turn, turn]);
    await store.turns.insert(ILSE, [{ ...turn, content: "Other words." }]);
    await store.inbox.push(ILSE, [turn], ["extract", "index"]);
    await store.inbox.push(ILSE, [turn], ["extract"]);
    await store.ledger.insert(ILSE, [window]);
    await store.facts.put(ILSE, factOf());
    await store.chunks.put(ILSE, [chunk]);
    expect(await store.turns.list(ILSE, {})).toEqual([turn]);
    expect(await store.inbox.pending(ILSE, "extract")).toEqual([turn]);
    expect(await store.inbox.count(ILSE, "extract")).toBe(1);
    expect(await store.ledger.list(ILSE)).toEqual([window]);
    expect(await store.facts.list(ILSE, { now: NOON })).toEqual([factOf()]);
    expect(await store.chunks.byTurns(ILSE, "s1", ["d1"])).toEqual([chunk]);
    expect(await store.chunks.unembedded(ILSE, "s1", ["d1"])).toEqual([chunk]);
    expect(await store.turns.list(BRAM, {})).toEqual([]);
    expect(await store.facts.get(BRAM, "s1", "diet")).toBeNull();
    expect(await store.chunks.byTurns(BRAM, "s1", ["d1"])).toEqual([]);
  });

  it("a chunk without a vector is found by words, and does not disturb the search by vector", async () => {
    await store.chunks.put(ILSE, [chunkRow(ILSE, { dialogueId: "d2", vector: [0, 1, 0, 0], words: "green boat" })]);
    const near = await store.chunks.nearest(ILSE, [0, 1, 0, 0], { limit: 10 });
    expect(near.map(({ row }) => row.dialogueId)).toEqual(["d2"]);
    expect(near[0]?.score).toBeCloseTo(1);
    const matched = await store.chunks.matching(ILSE, "heron", { limit: 10, boosts: { words: 1 } });
    expect(matched.map(({ row }) => row.dialogueId)).toEqual(["d1"]);
  });

  it("neighbours of several vectors come back in their order, each list with its own limit", async () => {
    await store.entries.put(BRAM, [
      entryRow({ entryId: "x" }, { vector: [1, 0, 0, 0] }),
      entryRow({ entryId: "y" }, { vector: [0, 1, 0, 0] }),
    ]);
    const lists = await store.entries.nearestBatch(
      BRAM,
      [
        [0, 1, 0, 0],
        [1, 0, 0, 0],
        [1, 0.5, 0, 0],
      ],
      { limit: 2 },
    );
    expect(lists.map((list) => list.map(({ row }) => row.entryId))).toEqual([
      ["y", "x"],
      ["x", "y"],
      ["x", "y"],
    ]);
    const floored = await store.entries.nearest(BRAM, [0, 1, 0, 0], { limit: 5, floor: 0.9 });
    expect(floored.map(({ row }) => row.entryId)).toEqual(["y"]);
  });
});
