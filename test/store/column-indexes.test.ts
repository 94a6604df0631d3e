import { connect } from "@lancedb/lancedb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import {
  BRAM,
  chunkRow,
  DIMENSION,
  entryRow,
  filesHolding,
  ILSE,
  temporaryFolder,
  turnOf,
  windowOf,
} from "../support/store.js";

const ROWS = 260;
const INDEXED = { columnIndexFrom: 1 };

function entries(prefix: string, count = ROWS) {
  return Array.from({ length: count }, (_, index) => entryRow({ entryId: `${prefix}${index}` }));
}

describe("the indexes of keys and scopes", () => {
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: MemoryStore;

  beforeEach(async () => {
    home = await temporaryFolder();
    store = await openStore({ uri: home.folder });
    await store.ensureDimension(DIMENSION, "test-embedder");
    await store.entries.put(ILSE, entries("i"));
    await store.entries.put(BRAM, entries("b", 20));
  });
  afterEach(async () => {
    await store.close();
    await home.remove();
  });

  async function indexed(table: string): Promise<string[]> {
    const connection = await connect(home.folder);
    const indexes = await (await connection.openTable(table)).listIndices();
    connection.close();
    return indexes
      .filter(({ indexType }) => indexType !== "FTS")
      .flatMap(({ columns }) => columns)
      .sort();
  }

  it("R38: are made of a table that is large enough, once", async () => {
    await store.optimize();
    expect(await indexed("entries")).toEqual([]);
    await store.optimize(INDEXED);
    await store.optimize(INDEXED);
    expect(await indexed("entries")).toEqual(["agent_id", "row_key", "status", "tenant_id", "user_id"]);
  });

  it("R25: let no scope see another, and lose no row that is added, changed or removed afterwards", async () => {
    await store.optimize(INDEXED);
    const late = entryRow({ entryId: "late" });
    await store.entries.put(ILSE, [late, entryRow({ entryId: "i1", status: "archived" })]);
    await store.entries.put(BRAM, [entryRow({ entryId: "i1" })]);
    await store.entries.remove(ILSE, ["i2"]);
    expect(await store.entries.count(ILSE)).toEqual({ active: ROWS - 1, archived: 1 });
    expect(await store.entries.count(BRAM)).toEqual({ active: 21 });
    await store.optimize(INDEXED);
    expect(await store.entries.count(ILSE)).toEqual({ active: ROWS - 1, archived: 1 });
    expect((await store.entries.byIds(ILSE, ["late", "i1", "i2"])).map(({ entryId }) => entryId).sort()).toEqual([
      "i1",
      "late",
    ]);
  });

  it("keep a key that exists from being added again", async () => {
    await store.turns.insert(ILSE, [turnOf(), turnOf({ dialogueId: "d2" })]);
    await store.chunks.put(ILSE, [chunkRow(ILSE)]);
    await store.optimize(INDEXED);
    await store.turns.insert(ILSE, [turnOf({ content: "Other words." }), turnOf({ dialogueId: "d3" })]);
    await store.chunks.put(ILSE, [chunkRow(ILSE, { text: "Again." })]);
    expect(await store.turns.count(ILSE)).toBe(3);
    expect((await store.turns.find(ILSE, "s1", ["d1"])).map(({ content }) => content)).toEqual([turnOf().content]);
    expect((await store.chunks.byTurns(ILSE, "s1", ["d1"])).map(({ text }) => text)).toEqual(["Again."]);
  });

  it("let one of several claim a window", async () => {
    await store.ledger.insert(ILSE, [windowOf(), windowOf({ windowId: "w2", turnIds: ["d2"] })]);
    await store.optimize(INDEXED);
    const request = { now: 1, leaseExpiresAt: 10, states: ["pending"] as const };
    const claims = await Promise.all(["a", "b", "c"].map((owner) => store.ledger.claim(ILSE, { ...request, owner })));
    expect(
      claims
        .flat()
        .map(({ windowId }) => windowId)
        .sort(),
    ).toEqual(["w1", "w2"]);
    await store.optimize(INDEXED);
    expect(await store.ledger.count(ILSE)).toEqual({ pending: 2, failed: 0, stored: 0 });
  });

  it("hold nothing of who was removed, once the tables are scrubbed", async () => {
    await store.optimize(INDEXED);
    expect(await filesHolding(home.folder, BRAM.userId)).not.toEqual([]);
    await store.entries.removeAll(BRAM);
    await store.scrub();
    expect(await filesHolding(home.folder, BRAM.userId)).toEqual([]);
    expect(await store.entries.count(ILSE)).toEqual({ active: ROWS });
  });
});
