import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ItemWrite, type MemoryStore, openStore } from "../../src/store/index.js";
import { SCHEMA_VERSION } from "../../src/store/migrations.js";
import { filesHolding, temporaryFolder } from "../support/store.js";

const NOW = Date.parse("2025-03-04T12:00:00.000Z");
const MINUTE = 60_000;
const SENTINEL = "quokka-on-a-raft";

let folder: string;
let remove: () => Promise<void>;
let store: MemoryStore;

function write(namespace: readonly string[], key: string, change: Partial<ItemWrite> = {}): ItemWrite {
  return { namespace, key, json: JSON.stringify({ key }), fields: { key }, vectors: [], ttlMs: null, ...change };
}

async function keysUnder(...prefix: string[]): Promise<string[]> {
  return (await store.items.list({ prefix, now: NOW })).map((item) => item.key);
}

async function nearestKeys(vector: readonly number[], vectors = 100): Promise<[string, number][]> {
  const { items } = await store.items.nearest(vector, { prefix: [], now: NOW }, vectors);
  return items.map(({ row, score }) => [row.key, Math.round(score * 1000) / 1000]);
}

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  store = await openStore({ uri: folder });
  await store.ensureItemDimension(2, "test-embedder");
});

afterEach(async () => {
  await store.close();
  await remove();
});

describe("items", () => {
  it("a store of the former version gets them when it is opened", async () => {
    await store.close();
    const lance = await import("@lancedb/lancedb");
    const connection = await lance.connect(folder);
    await connection.dropTable("items");
    await connection.dropTable("item_vectors");
    const meta = await connection.openTable("meta");
    await meta.delete("name = 'item_vectors'");
    await meta.update({ where: "name = 'schema_version'", valuesSql: { value: "'1'" } });
    store = await openStore({ uri: folder });
    await store.items.put([write(["a"], "k")], NOW);
    expect(await keysUnder("a")).toEqual(["k"]);
    const [version] = await (await connection.openTable("meta")).query().where("name = 'schema_version'").toArray();
    expect(version?.value).toBe(String(SCHEMA_VERSION));
    connection.close();
  });

  it("R54: a prefix matches whole labels, and other lists of labels are other namespaces", async () => {
    const namespaces = [["u1"], ["u10"], ["u1:x"], ["u1%"], ["U1"], ["u1 "], ["a", "b:c"], ["a", "b", "c"], ['a","b']];
    await store.items.put(
      namespaces.map((namespace) => write(namespace, JSON.stringify(namespace))),
      NOW,
    );
    for (const namespace of namespaces) expect(await keysUnder(...namespace)).toEqual([JSON.stringify(namespace)]);
    expect(await keysUnder("a", "b")).toEqual(['["a","b","c"]']);
    expect(await store.items.namespaces({ prefix: [], now: NOW })).toHaveLength(namespaces.length);
    expect(await store.items.removeUnder(["u1"])).toBe(1);
    expect(await keysUnder()).toHaveLength(namespaces.length - 1);
  });

  it("a write keeps the birth of the item and replaces all its vectors", async () => {
    await store.items.put(
      [
        write(["a"], "k", {
          vectors: [
            [1, 0],
            [0, 1],
          ],
        }),
        write(["a"], "later"),
      ],
      NOW,
    );
    await store.items.put([write(["a"], "k", { vectors: [[0, 1]] })], NOW + MINUTE);
    const [item] = await store.items.get([{ namespace: ["a"], key: "k" }], NOW);
    expect(item).toMatchObject({ createdAt: "2025-03-04T12:00:00.000Z", updatedAt: "2025-03-04T12:01:00.000Z" });
    expect(await keysUnder("a")).toEqual(["k", "later"]);
    expect(await nearestKeys([1, 0])).toEqual([["k", 0]]);
  });

  it("an item is found once, by the nearest of its vectors, and says when there are no more", async () => {
    await store.items.put(
      [
        write(["a"], "two", {
          vectors: [
            [0, 1],
            [1, 0],
          ],
        }),
        write(["a"], "one", { vectors: [[3, 4]] }),
      ],
      NOW,
    );
    expect(await nearestKeys([1, 0])).toEqual([
      ["two", 1],
      ["one", 0.6],
    ]);
    const partly = await store.items.nearest([1, 0], { prefix: [], now: NOW }, 2);
    expect(partly).toMatchObject({ complete: false });
    expect((await store.items.nearest([1, 0], { prefix: [], now: NOW }, 4)).complete).toBe(true);
  });

  it("R60: a removed item's vectors take no place in a search", async () => {
    await store.items.put(
      [write(["a"], "best", { vectors: [[1, 0]] }), write(["a"], "second", { vectors: [[3, 4]] })],
      NOW,
    );
    await store.items.remove([{ namespace: ["a"], key: "best" }]);
    expect(await nearestKeys([1, 0], 1)).toEqual([["second", 0.6]]);
  });

  it("selects by whole values of fields, on both legs", async () => {
    const green = { fields: { colour: "green", size: 1 }, vectors: [[1, 0]] };
    await store.items.put(
      [write(["a"], "g", green), write(["a"], "r", { fields: { size: 1 }, vectors: [[1, 0]] })],
      NOW,
    );
    const selection = { prefix: ["a"], equal: { colour: "green", size: 1 }, now: NOW };
    expect((await store.items.list(selection)).map((item) => item.key)).toEqual(["g"]);
    expect((await store.items.nearest([1, 0], selection, 5)).items.map(({ row }) => row.key)).toEqual(["g"]);
  });

  it("an expired item is seen by no read, is born anew when it is written, and swept otherwise", async () => {
    const mortal = { ttlMs: MINUTE, vectors: [[1, 0]] };
    await store.items.put([write(["a"], "k", mortal), write(["b"], "swept", mortal)], NOW - 2 * MINUTE);
    expect(await store.items.get([{ namespace: ["a"], key: "k" }], NOW)).toEqual([]);
    expect(await keysUnder()).toEqual([]);
    expect(await nearestKeys([1, 0])).toEqual([]);
    expect(await store.items.namespaces({ prefix: [], now: NOW })).toEqual([]);
    await store.items.put([write(["a"], "k", mortal)], NOW);
    const [item] = await store.items.get([{ namespace: ["a"], key: "k" }], NOW);
    expect(item?.createdAt).toBe("2025-03-04T12:00:00.000Z");
    expect(await store.items.sweep(NOW)).toBe(1);
    expect(await store.items.sweep(NOW)).toBe(0);
    expect(await keysUnder()).toEqual(["k"]);
  });

  it("a refresh lets an item live for its own time from then on", async () => {
    await store.items.put([write(["a"], "k", { ttlMs: MINUTE })], NOW);
    const [item] = await store.items.get([{ namespace: ["a"], key: "k" }], NOW);
    await store.items.refresh(item === undefined ? [] : [item], NOW + MINUTE / 2);
    const at = async (now: number) => (await store.items.get([{ namespace: ["a"], key: "k" }], now)).length;
    expect([await at(NOW + MINUTE), await at(NOW + 1.5 * MINUTE)]).toEqual([1, 0]);
  });

  it("a sweep removes vectors that no item owns, once no write can be under way", async () => {
    const lance = await import("@lancedb/lancedb");
    const connection = await lance.connect(folder);
    await store.items.put(
      [write(["a"], "k", { vectors: [[1, 0]] }), write(["a"], "stray", { vectors: [[0, 1]] })],
      NOW,
    );
    await (await connection.openTable("items")).delete("item_key = '\"stray\"'");
    const vectors = async () => (await connection.openTable("item_vectors")).countRows();
    await store.items.sweep(NOW + MINUTE);
    expect(await vectors()).toBe(2);
    await store.items.sweep(NOW + 60 * MINUTE);
    expect(await vectors()).toBe(1);
    connection.close();
    expect(await nearestKeys([1, 0])).toEqual([["k", 1]]);
  });

  it("R59: after a scrub no file holds a removed item, whatever stays", async () => {
    const rows = Array.from({ length: 200 }, (_, index) => write(["kept"], `k${index}`, { vectors: [[1, 0]] }));
    await store.items.put(rows, NOW);
    await store.items.put([write([SENTINEL], SENTINEL, { json: JSON.stringify(SENTINEL), vectors: [[1, 0]] })], NOW);
    expect(await filesHolding(folder, SENTINEL)).not.toEqual([]);
    await store.items.removeUnder([SENTINEL]);
    await store.scrub();
    expect(await filesHolding(folder, SENTINEL)).toEqual([]);
    expect(await keysUnder("kept")).toHaveLength(200);
    expect(await nearestKeys([1, 0], 300)).toHaveLength(200);
  });

  it("another embedder or another length is refused, and the memory's vectors are of a space of their own", async () => {
    await store.ensureDimension(4, "memory-embedder");
    await expect(store.ensureItemDimension(3, "test-embedder")).rejects.toMatchObject({
      name: "DimensionMismatchError",
    });
    await expect(store.ensureItemDimension(2, "other")).rejects.toThrow(/test-embedder.*other.*another folder/);
    const short = store.items.put([write(["a"], "k", { vectors: [[1]] })], NOW);
    await expect(short).rejects.toMatchObject({ name: "DimensionMismatchError" });
    expect(await keysUnder()).toEqual([]);
  });

  it("reset drops them with everything else", async () => {
    await store.items.put([write(["a"], "k", { vectors: [[1, 0]] })], NOW);
    await store.reset();
    expect(await keysUnder()).toEqual([]);
    await store.ensureItemDimension(3, "other");
    await store.items.put([write(["a"], "k", { vectors: [[1, 0, 0]] })], NOW);
    expect(await nearestKeys([1, 0, 0])).toEqual([["k", 1]]);
  });
});
