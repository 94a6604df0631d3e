import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import { retrying } from "../../src/store/retry.js";
import { programPath } from "../support/processes.js";
import {
  DIMENSION,
  EMBEDDER,
  entryRow,
  factOf,
  ILSE,
  NOON,
  temporaryFolder,
  turnOf,
  windowOf,
} from "../support/store.js";

const CONFLICT = "Retryable commit conflict for version 7: another writer was first";

async function worker(folder: string, task: string, name: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [programPath("store-worker"), folder, task, name]);
  return JSON.parse(stdout);
}

let folder: string;
let remove: () => Promise<void>;
let left: MemoryStore;
let right: MemoryStore;

async function openTwo(): Promise<void> {
  [left, right] = await Promise.all([openStore({ uri: folder }), openStore({ uri: folder })]);
  await left.ensureDimension(DIMENSION, EMBEDDER);
  await right.ensureDimension(DIMENSION, EMBEDDER);
}

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  await openTwo();
});

afterEach(async () => {
  await left.close();
  await right.close();
  await remove();
});

describe("R17: one id is one row", () => {
  it("also when eight upserts of two handles run at once", async () => {
    const stores = [left, right, left, right, left, right, left, right];
    await Promise.all(stores.map((store) => store.entries.put(ILSE, [entryRow({ entryId: "k1" })])));
    await Promise.all(stores.map((store) => store.facts.put(ILSE, factOf())));
    await Promise.all(stores.map((store) => store.turns.insert(ILSE, [turnOf()])));
    expect((await left.entries.list(ILSE, {})).items).toHaveLength(1);
    expect(await left.facts.list(ILSE, { now: NOON })).toHaveLength(1);
    expect(await left.turns.list(ILSE, {})).toHaveLength(1);
  });

  it("also when one batch names it twice: the last upsert and the first insert stay", async () => {
    await left.entries.put(ILSE, [entryRow({ topic: "old" }), entryRow({ topic: "new" })]);
    await left.turns.insert(ILSE, [turnOf({ content: "first" }), turnOf({ content: "second" })]);
    expect((await left.entries.list(ILSE, {})).items.map((entry) => entry.topic)).toEqual(["new"]);
    expect((await left.turns.list(ILSE, {})).map((turn) => turn.content)).toEqual(["first"]);
  });

  it("also when three processes upsert the same ids", async () => {
    await Promise.all(["a", "b", "c"].map((name) => worker(folder, "upsert", name)));
    const ids = (await left.entries.list(ILSE, {})).items.map((entry) => entry.entryId).sort();
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `k${index}`));
    expect(await left.turns.count(ILSE)).toBe(10);
  });
});

describe("R19: writers beside each other", () => {
  it("all settle, and the rows are those of one after another", async () => {
    const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    for (const id of ids("del", 10)) await left.entries.put(ILSE, [entryRow({ entryId: id })]);
    for (const id of ids("up", 20)) await left.entries.put(ILSE, [entryRow({ entryId: id, topic: "old" })]);
    const settled = await Promise.allSettled([
      ...ids("add", 20).map((id) => left.entries.put(ILSE, [entryRow({ entryId: id })])),
      ...ids("up", 20).map((id) => right.entries.put(ILSE, [entryRow({ entryId: id, topic: "new" })])),
      ...ids("del", 10).map((id) => right.entries.remove(ILSE, [id])),
      left.optimize(),
      right.optimize(),
    ]);
    expect(settled.filter((one) => one.status === "rejected")).toEqual([]);
    const { items } = await left.entries.list(ILSE, {});
    expect(items.map((entry) => entry.entryId).sort()).toEqual([...ids("add", 20), ...ids("up", 20)].sort());
    expect(items.filter((entry) => entry.topic === "new")).toHaveLength(20);
  });

  it.each([
    [2, "stored"],
    [5, "StoreConflictError"],
  ])("%i conflicts of 4 tries end as %s", async (conflicts, end) => {
    const waits: number[] = [];
    let calls = 0;
    const run = async () => {
      calls += 1;
      if (calls <= conflicts) throw new Error(CONFLICT);
      return "stored";
    };
    const options = { tries: 4, sleep: async (ms: number) => void waits.push(ms) };
    const result = await retrying("writing entries", run, options).catch((error: Error) => error.name);
    expect(result).toBe(end);
    expect(calls).toBe(Math.min(conflicts + 1, 4));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
  });

  it("an error that is no conflict is not tried again", async () => {
    let calls = 0;
    const run = async () => {
      calls += 1;
      throw new Error("disk full");
    };
    await expect(retrying("writing", run)).rejects.toThrow("disk full");
    expect(calls).toBe(1);
  });
});

describe("R36: several handles", () => {
  it("five open a fresh folder at once", async () => {
    const fresh = await temporaryFolder();
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => openStore({ uri: fresh.folder })));
    await Promise.all(stores.map((store) => store.ensureDimension(DIMENSION, EMBEDDER)));
    for (const store of stores) await store.close();
    await fresh.remove();
  });

  it("three processes open a fresh folder at once, and each row is there", async () => {
    const fresh = await temporaryFolder();
    const found = await Promise.all(["a", "b", "c"].map((name) => worker(fresh.folder, "add", name)));
    expect(found).toEqual([1, 1, 1]);
    const store = await openStore({ uri: fresh.folder, readOnly: true });
    expect((await store.entries.list(ILSE, {})).items).toHaveLength(3);
    await store.close();
    await fresh.remove();
  });

  it("a row added through one is found through the other, on every leg", async () => {
    await left.entries.put(ILSE, [entryRow()]);
    expect(await right.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })).toHaveLength(1);
    expect(await right.entries.matching(ILSE, "heron", { limit: 5, boosts: { words: 1 } })).toHaveLength(1);
    expect(await right.entries.byIds(ILSE, ["e1"])).toHaveLength(1);
  });
});

describe("windows are claimed by one owner", () => {
  const claim = (store: MemoryStore, owner: string, change: object = {}) =>
    store.ledger.claim(ILSE, { owner, now: 100, leaseExpiresAt: 200, states: ["pending"], ...change });

  it("when two handles claim at once, each window goes to exactly one", async () => {
    for (let round = 0; round < 15; round += 1) {
      const ids = [0, 1, 2].map((index) => `r${round}-${index}`);
      await left.ledger.insert(
        ILSE,
        ids.map((windowId) => windowOf({ windowId })),
      );
      const [first, second] = await Promise.all([claim(left, `left${round}`), claim(right, `right${round}`)]);
      expect([...first, ...second].map((window) => window.windowId).sort()).toEqual(ids);
    }
  });

  it("when three processes claim at once, each window goes to exactly one", async () => {
    const held = await Promise.all(["a", "b", "c"].map((name) => worker(folder, "claim", name)));
    expect(held.flat().sort()).toEqual(Array.from({ length: 10 }, (_, index) => `w${index}`));
  });

  it("a running lease holds, a lapsed one and a dead owner's do not", async () => {
    await left.ledger.insert(ILSE, [windowOf()]);
    expect(await claim(left, "a")).toMatchObject([{ windowId: "w1", state: "pending", owner: "a" }]);
    expect(await claim(right, "b")).toEqual([]);
    expect(await claim(right, "b", { isDead: (owner: string) => owner === "a" })).toHaveLength(1);
    expect(await left.ledger.update(ILSE, "w1", "a", { state: "stored" })).toBe(false);
    expect(await claim(left, "a", { now: 199 })).toEqual([]);
    expect(await claim(left, "a", { now: 200, leaseExpiresAt: 300 })).toHaveLength(1);
  });

  it("an extracted window keeps its items when its owner dies, and is told as extracted", async () => {
    const { losslessRestatement, keywords, timestamp, timestampEnd, mentionedAt, location, persons } = entryRow().entry;
    const { entities, topic, attributes, kind, speaker, sourceRole, sourceIds, confidence, importance } =
      entryRow().entry;
    const words = { losslessRestatement, keywords, timestamp, timestampEnd, mentionedAt, location, persons, entities };
    const item = { ...words, topic, attributes, kind, speaker, sourceRole, sourceIds, confidence, importance };
    await left.ledger.insert(ILSE, [windowOf()]);
    await claim(left, "a");
    expect(await left.ledger.update(ILSE, "w1", "a", { state: "extracted", items: [item] })).toBe(true);
    const states = ["pending", "extracted"];
    expect(await claim(right, "b", { states })).toEqual([]);
    const [taken] = await claim(right, "b", { states, now: 500, leaseExpiresAt: 600 });
    expect(taken).toMatchObject({ state: "extracted", owner: "b", items: [item] });
    const [again] = await claim(left, "c", { states, now: 700, leaseExpiresAt: 800 });
    expect(again).toMatchObject({ state: "extracted", owner: "c", items: [item] });
    expect(await left.ledger.count(ILSE)).toEqual({ pending: 1, failed: 0, stored: 0 });
    expect(await left.ledger.holding(ILSE, "s1", ["d1", "d9"])).toHaveLength(1);
    expect(await left.ledger.holding(ILSE, "s1", ["d9"])).toEqual([]);
  });

  it("windows of one cut keep their order", async () => {
    const ids = ["z", "a", "m"];
    await left.ledger.insert(
      ILSE,
      ids.map((windowId) => windowOf({ windowId })),
    );
    expect((await claim(left, "a")).map((window) => window.windowId)).toEqual(ids);
  });

  it("failed windows are taken only when asked for", async () => {
    await left.ledger.insert(ILSE, [windowOf({ state: "failed", attempts: 3, lastError: "no 'reply'" })]);
    expect(await claim(left, "a")).toEqual([]);
    expect(await claim(left, "a", { states: ["failed"] })).toMatchObject([
      { state: "failed", lastError: "no 'reply'" },
    ]);
  });
});

describe("named claims exclude each other", () => {
  const lease = { now: 100, leaseExpiresAt: 200 };

  it("of two that acquire at once, one gets it, over many rounds", async () => {
    for (let round = 0; round < 25; round += 1) {
      const name = round % 2 === 0 ? "same" : `new-${round}`;
      const owners = [`left${round}`, `right${round}`];
      const [first, second] = await Promise.all([
        left.claims.acquire(name, { owner: `left${round}`, ...lease }),
        right.claims.acquire(name, { owner: `right${round}`, ...lease }),
      ]);
      expect([first, second].filter(Boolean)).toHaveLength(1);
      await left.claims.release(name, owners[first ? 0 : 1] ?? "");
    }
  });

  it("of many that take over a lapsed claim at once, one gets it", async () => {
    for (let round = 0; round < 10; round += 1) {
      const now = 1000 * (round + 1);
      const results = await Promise.all(
        [left, right, left, right].map((store, index) =>
          store.claims.acquire("lapsed", { owner: `${round}-${index}`, now, leaseExpiresAt: now + 500 }),
        ),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
    }
  });

  it("a running lease holds until it ends, is released, or its owner died", async () => {
    expect(await left.claims.acquire("x", { owner: "a", ...lease })).toBe(true);
    expect(await right.claims.acquire("x", { owner: "b", ...lease })).toBe(false);
    expect(await left.claims.acquire("x", { owner: "a", now: 150, leaseExpiresAt: 300 })).toBe(true);
    expect(await right.claims.acquire("x", { owner: "b", now: 250, leaseExpiresAt: 400 })).toBe(false);
    expect(await right.claims.acquire("x", { owner: "b", ...lease, isDead: (owner) => owner === "a" })).toBe(true);
    await left.claims.release("x", "a");
    expect(await left.claims.acquire("x", { owner: "c", ...lease })).toBe(false);
    await right.claims.release("x", "b");
    expect(await left.claims.acquire("x", { owner: "c", ...lease })).toBe(true);
  });
});
