import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../../src/store/index.js";
import { SCHEMA_VERSION } from "../../src/store/migrations.js";
import { chunkRow, DIMENSION, EMBEDDER, entryRow, ILSE, temporaryFolder } from "../support/store.js";

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});

afterEach(() => remove());

/** A folder as version 2 left it: without the changes of entries and the metadata of chunks. */
async function ofVersion2(): Promise<void> {
  const store = await openStore({ uri: folder });
  await store.ensureDimension(DIMENSION, EMBEDDER);
  await store.entries.put(ILSE, [entryRow()]);
  await store.chunks.put(ILSE, [chunkRow(ILSE)]);
  await store.close();
  const lance = await import("@lancedb/lancedb");
  const connection = await lance.connect(folder);
  await (await connection.openTable("entries")).dropColumns(["changes"]);
  await (await connection.openTable("chunks")).dropColumns(["metadata_hashes"]);
  await (await connection.openTable("meta")).update({ where: "name = 'schema_version'", valuesSql: { value: "'2'" } });
  connection.close();
}

it("a store of version 2 keeps its rows, and gets the columns that came since", async () => {
  await ofVersion2();
  const store = await openStore({ uri: folder });
  expect(await store.entries.histories(ILSE, ["e1"])).toEqual([{ entry: entryRow().entry, changes: [] }]);
  expect(await store.chunks.matching(ILSE, "heron", { limit: 5, boosts: { words: 1 } })).toHaveLength(1);
  const filter = { metadata: { channel: "mail" } };
  expect(await store.chunks.nearest(ILSE, [1, 0, 0, 0], { limit: 5, filter })).toEqual([]);
  await store.entries.put(ILSE, [entryRow({ entryId: "e2", createdAt: "2025-03-05T12:00:00.000Z" })]);
  await store.entries.put(ILSE, [entryRow({ topic: "birds" })]);
  expect((await store.entries.list(ILSE, {})).items.map(({ entryId, topic }) => [entryId, topic])).toEqual([
    ["e1", "birds"],
    ["e2", null],
  ]);
  await store.close();
  const again = await openStore({ uri: folder, readOnly: true });
  expect(await again.entries.size(ILSE)).toBe(2);
  await again.close();
});

it("several that open it at once agree", async () => {
  await ofVersion2();
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ uri: folder })));
  for (const store of stores) expect(await store.entries.size(ILSE)).toBe(1);
  for (const store of stores) await store.close();
});

it("read-only it says what to do, and is left as it is", async () => {
  await ofVersion2();
  await expect(openStore({ uri: folder, readOnly: true })).rejects.toThrow(
    new RegExp(`schema version 2.*reads ${SCHEMA_VERSION}.*Open it once without readOnly`),
  );
});
