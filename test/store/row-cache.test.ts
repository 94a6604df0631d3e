import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.js";
import { ROW_ID } from "../../src/store/result-rows.js";
import { Row } from "../../src/store/row.js";
import { RowCache } from "../../src/store/row-cache.js";
import type { MemoryStore } from "../../src/store/store.js";
import { UntilWritten } from "../../src/store/until-written.js";
import { DIMENSION, EMBEDDER, entryRow, ILSE, temporaryFolder } from "../support/store.js";

/** A table of texts by row id, which tells what was read of it. */
function tableOf(texts: Map<number, string>) {
  const reads: (readonly number[])[] = [];
  const table = {
    born: "first",
    reads,
    birth: () => table.born,
    take: async (rowIds: readonly number[]) => {
      if (rowIds.length > 0) reads.push(rowIds);
      const found = rowIds.filter((id) => texts.has(id));
      const column = (values: readonly unknown[]) => ({ get: (index: number) => values[index] });
      const columns = new Map([
        [ROW_ID, column(found)],
        ["text", column(found.map((id) => texts.get(id)))],
      ]);
      return found.map((_, index) => new Row(columns, index));
    },
  };
  return table;
}

const hit = (rowId: number) => ({ rowId, score: 1 });
const textOf = (row: Row) => row.text("text");

describe("rows that were read are kept", () => {
  it("reads a row that is found again once", async () => {
    const table = tableOf(
      new Map([
        [1, "boat"],
        [2, "oar"],
        [3, "sail"],
      ]),
    );
    const cache = new RowCache(table, ["text"], textOf);
    await cache.find(async () => [hit(1), hit(2)]);
    const found = await cache.find(async () => [hit(3), hit(2), hit(1)]);
    expect(found.map(({ value }) => value)).toEqual(["sail", "oar", "boat"]);
    expect(table.reads).toEqual([[1, 2], [3]]);
  });

  it("searches again when a fold gave the rows other ids between search and read", async () => {
    const texts = new Map([[1, "boat"]]);
    const cache = new RowCache(tableOf(texts), ["text"], textOf);
    let searches = 0;
    const found = await cache.find(async () => {
      searches += 1;
      if (searches > 1) return [hit(9)];
      texts.delete(1);
      texts.set(9, "boat");
      return [hit(1)];
    });
    expect(found).toEqual([{ rowId: 9, score: 1, value: "boat" }]);
  });

  it("leaves out rows that were removed between search and read", async () => {
    const cache = new RowCache(tableOf(new Map([[1, "boat"]])), ["text"], textOf);
    const found = await cache.find(async () => [hit(1), hit(2)]);
    expect(found.map(({ value }) => value)).toEqual(["boat"]);
  });

  it("takes no row of a former table for one of a table that was made anew", async () => {
    const texts = new Map([[1, "boat"]]);
    const table = tableOf(texts);
    const cache = new RowCache(table, ["text"], textOf);
    await cache.find(async () => [hit(1)]);
    texts.set(1, "oar");
    table.born = "second";
    const found = await cache.find(async () => [hit(1)]);
    expect(found.map(({ value }) => value)).toEqual(["oar"]);
  });

  it("keeps a bounded number of rows", async () => {
    const ids = Array.from({ length: 13_000 }, (_, id) => id);
    const table = tableOf(new Map(ids.map((id) => [id, String(id)])));
    const cache = new RowCache(table, ["text"], textOf);
    for (const id of ids) await cache.find(async () => [hit(id)]);
    await cache.find(async () => [hit(12_999), hit(0)]);
    expect(table.reads.at(-1)).toEqual([0]);
  });
});

describe("what was read of a table is kept until someone writes", () => {
  it("asks once per state of the table, and never keeps an error", async () => {
    const table = { now: "1", state: async () => table.now };
    const kept = new UntilWritten<string>(table, 10);
    const answers = ["first", new Error("the disk is gone"), "second"];
    const read = async (): Promise<string> => {
      const answer = answers.shift();
      if (typeof answer === "string") return answer;
      throw answer;
    };
    expect([await kept.of("count", read), await kept.of("count", read)]).toEqual(["first", "first"]);
    table.now = "2";
    await expect(kept.of("count", read)).rejects.toThrow("the disk is gone");
    expect(await kept.of("count", read)).toBe("second");
  });

  it("forgets the answer that was asked for longest ago", async () => {
    const kept = new UntilWritten<number>({ state: async () => "1" }, 2);
    let reads = 0;
    const read = async () => {
      reads += 1;
      return reads;
    };
    for (const key of ["a", "b", "a", "c", "b"]) await kept.of(key, read);
    expect([await kept.of("c", read), reads]).toEqual([3, 4]);
  });
});

describe("two handles of one folder", () => {
  let folder: string;
  let remove: () => Promise<void>;
  let mine: MemoryStore;
  let other: MemoryStore;

  beforeEach(async () => {
    const temporary = await temporaryFolder();
    folder = temporary.folder;
    remove = temporary.remove;
    mine = await openStore({ uri: folder });
    await mine.ensureDimension(DIMENSION, EMBEDDER);
    other = await openStore({ uri: folder });
  });

  afterEach(async () => {
    await mine.close();
    await other.close();
    await remove();
  });

  const texts = async () =>
    (await mine.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 10 })).map(({ row }) => row.losslessRestatement).sort();

  it("a search sees what another handle added, changed, folded and removed since", async () => {
    const row = (entryId: string, losslessRestatement: string) => entryRow({ entryId, losslessRestatement });
    await mine.entries.put(ILSE, [row("boat", "The boat is green."), row("oar", "The oar is new.")]);
    expect(await texts()).toEqual(["The boat is green.", "The oar is new."]);
    await other.entries.put(ILSE, [row("boat", "The boat is red."), row("sail", "The sail is torn.")]);
    expect(await texts()).toEqual(["The boat is red.", "The oar is new.", "The sail is torn."]);
    await other.optimize();
    expect(await texts()).toEqual(["The boat is red.", "The oar is new.", "The sail is torn."]);
    await other.entries.remove(ILSE, ["oar"]);
    expect(await texts()).toEqual(["The boat is red.", "The sail is torn."]);
    expect(await mine.entries.size(ILSE)).toBe(2);
  });

  it("after a reset by another handle, nothing of before is found", async () => {
    await mine.entries.put(ILSE, [entryRow({ entryId: "boat", losslessRestatement: "The boat is green." })]);
    expect(await texts()).toEqual(["The boat is green."]);
    await other.reset();
    await other.ensureDimension(DIMENSION, EMBEDDER);
    await other.entries.put(ILSE, [entryRow({ entryId: "boat", losslessRestatement: "The boat is red." })]);
    expect(await texts()).toEqual(["The boat is red."]);
  });
});
