import { afterEach, describe, expect, it, vi } from "vitest";
import { InvalidInputError, SimpleMem } from "../../src/index.js";
import { exactScope } from "../../src/store/index.js";
import { LanceStore } from "../../src/store/lance-store.js";
import { LanceLedger } from "../../src/store/ledger.js";
import { FakeEmbeddings } from "../support/fakes.js";

const USER = { userId: "u-ilse" };

async function opened(uri = "memory://") {
  const simplemem = await SimpleMem.open({ uri, embeddings: new FakeEmbeddings(32), window: { idleMs: 0 } });
  return { simplemem, memory: simplemem.scope({ ...USER, sessionId: "s1" }) };
}

type Memory = ReturnType<SimpleMem["scope"]>;

const said = (id: string, content: string, day = "04") => {
  return { id, speaker: "Ilse", content, timestamp: `2025-03-${day}T10:00:00Z` };
};

async function told(memory: Memory, id: string, content: string, day?: string) {
  await memory.add(said(id, content, day));
  await memory.flush();
  const entry = (await memory.list()).items.find(({ sourceIds }) => sourceIds.includes(id));
  if (entry === undefined) throw new Error(`nothing was made of ${content}`);
  return entry;
}

afterEach(() => void vi.restoreAllMocks());

describe("forgetting by a query", () => {
  it("takes two steps: candidates of every kind and status, then their ids", async () => {
    const { simplemem, memory } = await opened();
    await told(memory, "t1", "I live in Graz.", "01");
    const now = await told(memory, "t2", "I moved to Linz.", "05");
    await memory.update(now.entryId, { status: "archived" });
    await memory.add(said("t3", "My cousin lives in Graz too."));
    await memory.facts.remember("home", "Graz");
    const { candidates = [], removed, purged } = await memory.forget({ query: "lives in Graz", dryRun: true });
    expect(new Set(candidates.map(({ kind }) => kind))).toEqual(new Set(["entry", "turn", "fact"]));
    expect([removed.entries > 0, purged]).toEqual([true, false]);
    expect(candidates.map(({ id }) => id)).toContain(now.entryId);
    expect(candidates.find(({ id }) => id === now.entryId)?.status).toBe("archived");
    expect(await memory.stats()).toMatchObject({ turns: 3, facts: 1 });
    const receipt = await memory.forget({ ids: candidates.map(({ id }) => id) });
    expect(receipt).toMatchObject({ verified: true, removed: { facts: 1 } });
    expect((await memory.search("Graz", { planning: "never", includeArchived: true })).hits).toEqual([]);
    await simplemem.close();
  });

  it.each([
    ["alone", { query: "Graz" }],
    ["with a purge", { query: "Graz", purge: true, dryRun: true }],
    ["with ids", { query: "Graz", ids: ["t1"], dryRun: true }],
    ["with a number of ids", { ids: ["t1"], k: 3 }],
  ])("refuses a query %s, and removes nothing", async (_title, options) => {
    const { simplemem, memory } = await opened();
    await told(memory, "t1", "I live in Graz.");
    await expect(memory.forget(options)).rejects.toThrow(InvalidInputError);
    expect(await memory.stats()).toMatchObject({ turns: 1, entries: { active: 1 } });
    await simplemem.close();
  });
});

describe("what was superseded by a forgotten entry", () => {
  it("is not true again by itself, and restore brings it back", async () => {
    const { simplemem, memory } = await opened();
    const old = await told(memory, "t1", "I live in Graz.", "01");
    const now = await told(memory, "t2", "I live in Linz.", "05");
    expect(await memory.get(old.entryId)).toMatchObject({ status: "superseded", supersededBy: now.entryId });
    expect(await memory.forget({ ids: [now.entryId] })).toMatchObject({
      removed: { entries: 1, turns: 1 },
      verified: true,
    });
    expect((await memory.list()).items).toEqual([]);
    expect(await memory.get(old.entryId)).toMatchObject({ status: "superseded" });
    expect(await memory.restore(old.entryId, 1)).toMatchObject({ status: "active" });
    await simplemem.close();
  });
});

describe("a pattern that sums up others", () => {
  const PARTS = ["Ilse runs on Monday.", "Ilse runs on Friday."];

  /** Two parts that were put away under a pattern, as maintenance does. */
  async function summedUp() {
    const stores: LanceStore[] = [];
    const open = LanceStore.prototype.open;
    vi.spyOn(LanceStore.prototype, "open").mockImplementation(function (this: LanceStore) {
      stores.push(this);
      return open.call(this);
    });
    const { simplemem, memory } = await opened();
    const entries = [];
    for (const [index, text] of PARTS.entries())
      entries.push(await told(memory, `t${index}`, text.replace("Ilse runs", "I run")));
    const scope = exactScope(USER);
    const [store] = stores;
    if (store === undefined) throw new Error("no store was opened");
    const rows = await store.entries.rows(
      scope,
      entries.map(({ entryId }) => entryId),
    );
    const [first] = rows;
    if (first === undefined) throw new Error("no entry was made");
    const pattern = {
      ...first.entry,
      entryId: "pattern-1",
      kind: "pattern" as const,
      losslessRestatement: "Ilse runs twice a week.",
    };
    await store.entries.put(scope, [
      {
        ...first,
        entry: { ...pattern, derivedFrom: entries.map(({ entryId }) => entryId), sourceIds: ["t0", "t1"] },
        changes: [],
      },
      ...rows.map((row) => ({
        ...row,
        entry: { ...row.entry, status: "archived" as const, supersededBy: "pattern-1" },
      })),
    ]);
    return { simplemem, memory, entries };
  }

  it("goes with any of them, and the others are what they were", async () => {
    const { simplemem, memory, entries } = await summedUp();
    expect(await memory.forget({ ids: [entries[0]?.entryId ?? ""] })).toMatchObject({
      removed: { entries: 2, turns: 1 },
      verified: true,
    });
    const { items } = await memory.list({ status: ["active", "archived"] });
    expect(items.map(({ entryId, status, supersededBy }) => [entryId, status, supersededBy])).toEqual([
      [entries[1]?.entryId, "active", null],
    ]);
    await simplemem.close();
  });

  it("goes with a turn of one of them", async () => {
    const { simplemem, memory, entries } = await summedUp();
    expect(await memory.forget({ ids: ["t1"] })).toMatchObject({ removed: { entries: 2, turns: 1 }, verified: true });
    expect((await memory.list()).items.map(({ entryId }) => entryId)).toEqual([entries[0]?.entryId]);
    await simplemem.close();
  });

  it("may go alone: its parts stay put away, and nothing comes back by itself", async () => {
    const { simplemem, memory } = await summedUp();
    expect(await memory.forget({ ids: ["pattern-1"] })).toMatchObject({
      removed: { entries: 1, turns: 0 },
      verified: true,
    });
    expect((await memory.list()).items).toEqual([]);
    expect((await memory.list({ status: "archived" })).items).toHaveLength(2);
    await simplemem.close();
  });
});

describe("a session that is forgotten", () => {
  it("goes whole; what another session said again is read once more there", async () => {
    const { simplemem, memory } = await opened();
    const other = simplemem.scope({ ...USER, sessionId: "s2" });
    await told(memory, "t1", "I am allergic to sesame.");
    await other.add(said("t1", "I am allergic to sesame."));
    await other.flush();
    await memory.facts.remember("allergy", "sesame");
    expect((await memory.list()).items).toHaveLength(1);
    const receipt = await memory.forget({ filter: { sessionId: "s1" } });
    expect(receipt).toMatchObject({ removed: { entries: 1, turns: 1, facts: 1 }, verified: true });
    await other.flush();
    const { items } = await other.list();
    expect(items.map(({ sessionId, sourceIds }) => [sessionId, sourceIds])).toEqual([["s2", ["t1"]]]);
    await simplemem.close();
  });
});

describe("an entry that is forgotten", () => {
  it("does not come back when its window is stored again (R60)", async () => {
    const { simplemem, memory } = await opened();
    await memory.add(said("t1", "I live in Graz. My sister Ane repairs clocks."));
    const { updateAll } = LanceLedger.prototype;
    let isBroken = true;
    vi.spyOn(LanceLedger.prototype, "updateAll").mockImplementation(function (this: LanceLedger, ...given) {
      if (!isBroken || given[3].state !== "stored") return updateAll.apply(this, given);
      isBroken = false;
      return Promise.reject(new Error("disk full"));
    });
    await memory.flush();
    expect(await memory.stats()).toMatchObject({ windows: { pending: 1, stored: 0 } });
    const [first, ...others] = (await memory.list()).items;
    expect(others.length).toBeGreaterThan(0);
    await memory.forget({ ids: [first?.entryId ?? ""] });
    expect((await memory.flush()).windows).toMatchObject({ stored: 1 });
    expect((await memory.list()).items.map(({ entryId }) => entryId)).toEqual(others.map(({ entryId }) => entryId));
    await simplemem.close();
  });
});
