import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import { DIMENSION, EMBEDDER, entryRow, ILSE, temporaryFolder, turnOf } from "../support/store.js";

let folder: string;
let remove: () => Promise<void>;
let keeper: MemoryStore;
let writer: MemoryStore;

async function openOne(): Promise<MemoryStore> {
  const store = await openStore({ uri: folder });
  await store.ensureDimension(DIMENSION, EMBEDDER);
  return store;
}

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  keeper = await openOne();
  writer = await openOne();
});

afterEach(async () => {
  await keeper.close();
  await writer.close();
  await remove();
});

const WRITES = 12;
const ids = (prefix: string) => Array.from({ length: WRITES }, (_, index) => `${prefix}${index}`);

/** Appends, deletes, upserts and merges, one after another, until all are done. */
async function write(store: MemoryStore): Promise<void> {
  for (let index = 0; index < WRITES; index += 1) {
    await store.inbox.push(ILSE, [turnOf({ dialogueId: `new${index}`, sequence: index })], ["extract"]);
    await store.entries.remove(ILSE, [`old${index}`]);
    await store.entries.put(ILSE, [entryRow({ entryId: `kept${index}`, topic: "changed" })]);
    await store.turns.insert(ILSE, [turnOf({ dialogueId: `new${index}`, sequence: index })]);
  }
}

describe("maintenance beside the writes of another handle", () => {
  it.each(["optimize", "scrub"] as const)(
    "%s loses no append, no delete and no change",
    async (task) => {
      await keeper.entries.put(
        ILSE,
        [...ids("old"), ...ids("kept")].map((entryId) => entryRow({ entryId })),
      );
      let isDone = false;
      const writing = write(writer).finally(() => {
        isDone = true;
      });
      while (!isDone) await keeper[task]();
      await writing;
      const fresh = await openStore({ uri: folder, readOnly: true });
      const { items } = await fresh.entries.list(ILSE, {});
      expect(items.map((entry) => entry.entryId).sort()).toEqual(ids("kept").sort());
      expect(items.filter((entry) => entry.topic !== "changed")).toEqual([]);
      const log = await fresh.turns.list(ILSE, {});
      expect(log.map((turn) => turn.dialogueId)).toEqual(ids("new"));
      expect((await fresh.inbox.pending(ILSE, "extract")).map((turn) => turn.dialogueId)).toEqual(ids("new"));
      await fresh.close();
    },
    120_000,
  );
});
