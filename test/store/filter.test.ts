import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { all, exactly, type FilterColumns, literal, matches } from "../../src/store/filter.js";
import { exactScope, type MemoryStore, openStore, type ReadFilter } from "../../src/store/index.js";
import { BRAM, DIMENSION, EMBEDDER, entryRow, factOf, ILSE, NOON, temporaryFolder, turnOf } from "../support/store.js";

const CRAFTED = [
  "x')) OR true--",
  "' OR 1=1 --",
  "O'Dell",
  "a\\' b",
  '"; drop',
  '"',
  "'",
  "%",
  "_",
  "`",
  "line\nbreak",
  "u-bram' OR user_id = 'u-ilse",
];

const COLUMNS: FilterColumns = {
  ids: ["entry_id"],
  time: "event_at",
  kind: "kind",
  status: "status",
  topic: "topic_folded",
  location: "location_folded",
  persons: "persons_folded",
  entities: "entities_folded",
  metadata: "metadata_hashes",
  speaker: "speaker_folded",
  trust: { column: "trust", valuesOf: (trust) => [trust] },
};

function filtersWith(value: string): ReadFilter[] {
  return [
    { ids: [value] },
    { sessionId: value },
    { persons: [value] },
    { entities: [value] },
    { location: value },
    { topic: value },
    { speaker: value },
    { metadata: { [value]: value } },
  ];
}

describe("filters", () => {
  let store: MemoryStore;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const temporary = await temporaryFolder();
    remove = temporary.remove;
    store = await openStore({ uri: temporary.folder });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    await store.entries.put(ILSE, [
      entryRow({
        entryId: "odell",
        persons: ["O'Dell"],
        entities: ['The "Heron"'],
        location: "Porthaven",
        topic: "Birds",
        metadata: { userTone: "dry", deep: { b: 1, a: [2] } },
        kind: "plan",
        timestamp: "2025-01-31T15:00:00.000Z",
        trust: "tool",
        pinned: true,
        confidence: 0.5,
      }),
      entryRow({ entryId: "plain", mentionedAt: "2025-02-10T00:00:00.000Z" }),
    ]);
    await store.entries.put(BRAM, [entryRow({ entryId: "bram" })]);
    await store.turns.insert(BRAM, [turnOf()]);
    await store.facts.put(BRAM, factOf());
  });

  afterAll(async () => {
    await store.close();
    await remove();
  });

  async function found(filter: ReadFilter): Promise<string[]> {
    const where = await store.entries.where(ILSE, { filter });
    const near = await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 50, filter });
    const words = await store.entries.matching(ILSE, "heron", { limit: 50, filter, boosts: { words: 1 } });
    const ids = where.map(({ row }) => row.entryId).sort();
    expect(near.map(({ row }) => row.entryId).sort()).toEqual(ids);
    expect(words.map(({ row }) => row.entryId).sort()).toEqual(ids);
    return ids;
  }

  it.each(CRAFTED)("R20: the value %j in any part of a filter is only a value", async (value) => {
    for (const filter of filtersWith(value)) {
      const named = filter.persons?.includes("O'Dell") ? ["odell"] : [];
      expect(await found(filter)).toEqual(named);
    }
  });

  it.each(CRAFTED)("R20: %j as a scope or an id reads and removes nothing of others", async (value) => {
    for (const scope of [
      exactScope({ userId: value }),
      exactScope({ userId: "u-ilse", agentId: value }),
      exactScope({ userId: "u-ilse", tenantId: value }),
    ]) {
      const shared = scope.agentId !== "" ? 2 : 0;
      expect((await store.entries.list(scope, {})).items).toHaveLength(shared);
      expect(await store.entries.removeAll(scope)).toBe(0);
      expect(await store.turns.removeAll(scope)).toBe(0);
      expect(await store.facts.removeAll(scope)).toBe(0);
    }
    expect(await store.entries.remove(ILSE, [value])).toBe(0);
    expect(await store.turns.remove(BRAM, value, [value])).toBe(0);
    expect(await store.facts.remove(BRAM, value, value)).toBe(false);
    expect(await store.turns.byIds(ILSE, [value])).toEqual([]);
    expect(await store.entries.bySources(ILSE, [value])).toEqual([]);
    expect(await store.entries.count(ILSE)).toEqual({ active: 2 });
    expect(await store.entries.count(BRAM)).toEqual({ active: 1 });
  });

  it("R20: a crafted scope finds exactly its own rows", async () => {
    for (const value of CRAFTED) {
      const scope = exactScope({ userId: value, tenantId: "crafted" });
      await store.entries.put(scope, [entryRow({ entryId: value, persons: [value], sourceIds: [value] })]);
      expect((await store.entries.list(scope, { filter: { persons: [value] } })).items).toHaveLength(1);
      expect((await store.entries.byIds(scope, [value]))[0]?.entryId).toBe(value);
      expect(await store.entries.bySources(scope, [value])).toHaveLength(1);
      expect(await store.entries.removeAll(scope)).toBe(1);
    }
  });

  it("R21: no filter holds a double quote, whatever the values", () => {
    for (const value of CRAFTED) {
      expect(literal(value)).not.toContain('"');
      for (const filter of filtersWith(value)) {
        expect(all(exactly(exactScope({ userId: value })), matches(COLUMNS, filter))).not.toContain('"');
      }
    }
  });

  it.each<[string, ReadFilter, string[]]>([
    ["R21: a metadata key in mixed case", { metadata: { userTone: "dry" } }, ["odell"]],
    ["a source", { trust: "tool" }, ["odell"]],
    ["one of several sources", { trust: ["import", "user"] }, ["plain"]],
    ["no source", { trust: [] }, []],
    ["pinned", { pinned: true }, ["odell"]],
    ["not pinned", { pinned: false }, ["plain"]],
    ["less sure", { belowConfidence: 0.6 }, ["odell"]],
    ["exactly as sure", { belowConfidence: 0.5 }, []],
    ["one of two filters", { anyOf: [{ kind: "plan" }, { trust: "user" }] }, ["odell", "plain"]],
    ["one of two filters and another part", { pinned: true, anyOf: [{ kind: "plan" }, { trust: "user" }] }, ["odell"]],
    ["one of no filters", { anyOf: [] }, []],
    ["metadata with another value", { metadata: { userTone: "Dry" } }, []],
    ["metadata that is no text", { metadata: { deep: { a: [2], b: 1 } } }, ["odell"]],
    ["persons in another case", { persons: ["o'dell", "Nobody"] }, ["odell"]],
    ["part of a name", { persons: ["Dell"] }, []],
    ["an entity with double quotes", { entities: ['the "heron"'] }, ["odell"]],
    ["place in another case", { location: "porthaven" }, ["odell"]],
    ["topic in another case", { topic: "birds" }, ["odell"]],
    ["several kinds", { kind: ["plan", "event"] }, ["odell"]],
    ["one kind", { kind: "fact" }, ["plain"]],
    ["a status that no row has", { status: "archived" }, []],
    ["an empty list", { persons: [] }, []],
    ["an empty filter", {}, ["odell", "plain"]],
    ["before: a bare date includes the day", { before: "2025-01-31" }, ["odell"]],
    ["before is exclusive", { before: "2025-01-31T15:00:00Z" }, []],
    ["before without an offset is UTC", { before: "2025-01-31T15:00:01" }, ["odell"]],
    ["after is inclusive", { after: "2025-01-31T15:00:00Z" }, ["odell", "plain"]],
    ["after falls back on the time of saying", { after: "2025-02-10" }, ["plain"]],
    ["two parts must both hold", { persons: ["O'Dell"], kind: "fact" }, []],
  ])("%s", async (_title, filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  it("a time that is none is refused by name", async () => {
    await expect(store.entries.where(ILSE, { filter: { after: "soon" } })).rejects.toThrow(/filter\.after/);
  });

  it("turns are filtered by speaker, time and metadata", async () => {
    const turn = turnOf({ dialogueId: "t", metadata: { Mood: "calm" } });
    await store.turns.insert(ILSE, [turn]);
    expect(await store.turns.list(ILSE, { filter: { metadata: { Mood: "calm" }, speaker: "ilse" } })).toEqual([turn]);
    expect(await store.turns.list(ILSE, { filter: { before: NOON } })).toEqual([]);
    expect(await store.turns.list(ILSE, { filter: { kind: "fact" } })).toEqual([]);
  });
});

describe("R54: scopes whose names resemble each other", () => {
  const users = [
    "u1",
    "u10",
    "u1:x",
    "u1%",
    "U1",
    "u1 ",
    "u_",
    "ilse@dunmore.example",
    "../up",
    "名前",
    "x".repeat(300),
  ];

  it("R38: see only their own rows on every leg, and never become table names", async () => {
    const { folder, remove } = await temporaryFolder();
    const store = await openStore({ uri: folder });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    for (const userId of users) {
      const scope = exactScope({ userId });
      await store.entries.put(scope, [entryRow({ entryId: "same" })]);
      await store.turns.insert(scope, [turnOf()]);
      await store.facts.put(scope, factOf({ value: userId }));
    }
    for (const userId of users) {
      const scope = exactScope({ userId });
      expect(await store.entries.nearest(scope, [1, 0, 0, 0], { limit: 50 })).toHaveLength(1);
      expect(await store.entries.matching(scope, "heron", { limit: 50, boosts: { words: 1 } })).toHaveLength(1);
      expect((await store.entries.list(scope, {})).items).toHaveLength(1);
      expect(await store.turns.count(scope)).toBe(1);
      expect((await store.facts.list(scope, { now: NOON })).map((fact) => fact.value)).toEqual([userId]);
    }
    expect(await store.users()).toHaveLength(users.length);
    expect(await store.entries.removeAll(exactScope({ userId: "u1" }))).toBe(1);
    for (const userId of users.slice(1))
      expect(await store.entries.count(exactScope({ userId }))).toEqual({ active: 1 });
    await store.close();
    await remove();
  });

  it("an agent sees its own and the shared rows; the shared handle sees only the shared ones", async () => {
    const store = await openStore({ uri: "memory://" });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    const agents = ["", "a", "b"].map((agentId) => ({ ...ILSE, agentId }));
    for (const scope of agents) await store.entries.put(scope, [entryRow({ entryId: `of-${scope.agentId}` })]);
    const seen = await Promise.all(agents.map(async (scope) => (await store.entries.list(scope, {})).items.length));
    expect(seen).toEqual([1, 2, 2]);
    expect(await store.scopesOf({ userId: "u-ilse", tenantId: "" })).toHaveLength(3);
    expect(await store.entries.removeAll({ ...ILSE, agentId: "a" })).toBe(1);
    expect(await store.entries.count(ILSE)).toEqual({ active: 1 });
    await store.close();
  });
});
