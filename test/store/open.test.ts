import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadModules } from "../../src/store/connection.js";
import { openStore } from "../../src/store/index.js";
import { DIMENSION, EMBEDDER, entryRow, ILSE, temporaryFolder, turnOf } from "../support/store.js";

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});

afterEach(() => remove());

async function everyFile(): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

async function rawTable(name: string, rows: Record<string, unknown>[]): Promise<void> {
  const lance = await import("@lancedb/lancedb");
  const connection = await lance.connect(folder);
  await connection.createTable(name, rows);
  connection.close();
}

describe("openStore", () => {
  it.each(["", "   ", "ftp://somewhere"])("refuses the address %j", async (uri) => {
    await expect(openStore({ uri })).rejects.toMatchObject({ name: "StoreOpenError" });
  });

  it("R73: rejects a path that cannot be a folder, and does not fall back to memory", async () => {
    await writeFile(join(folder, "file"), "text");
    await expect(openStore({ uri: join(folder, "file", "below") })).rejects.toMatchObject({ name: "StoreOpenError" });
  });

  it("R73: what one handle stored, a later one finds", async () => {
    const first = await openStore({ uri: folder });
    await first.turns.insert(ILSE, [turnOf()]);
    await first.close();
    const second = await openStore({ uri: folder });
    expect(await second.turns.list(ILSE, {})).toEqual([turnOf()]);
    await second.close();
  });

  it("makes missing folders", async () => {
    const store = await openStore({ uri: join(folder, "a", "b c") });
    await store.turns.insert(ILSE, [turnOf()]);
    expect(await store.bytes()).toBeGreaterThan(0);
    await store.close();
  });

  it("each memory:// is a store of its own", async () => {
    const [first, second] = await Promise.all([openStore({ uri: "memory://" }), openStore({ uri: "memory://" })]);
    await first.turns.insert(ILSE, [turnOf()]);
    expect(await second.turns.list(ILSE, {})).toEqual([]);
    expect(await first.bytes()).toBe(0);
  });

  it("R81: a missing native part is told with platform, processor, libc and package", async () => {
    const load = async () => Promise.reject(new Error("Cannot find native binding"));
    const refused = loadModules(load);
    await expect(refused).rejects.toMatchObject({ name: "StoreOpenError" });
    const libc = process.platform === "linux" ? "(gnu|musl)" : "none";
    await expect(refused).rejects.toThrow(
      new RegExp(
        `${process.platform} ${process.arch} \\(libc: ${libc}\\).*@lancedb/lancedb-${process.platform}-${process.arch}`,
      ),
    );
  });

  it("a closed store says so", async () => {
    const store = await openStore({ uri: folder });
    await store.close();
    await expect(store.turns.list(ILSE, {})).rejects.toMatchObject({ name: "ClosedError" });
  });
});

describe("R74: what another program made", () => {
  it("a foreign table of the same name rejects, and nothing is changed", async () => {
    await rawTable("entries", [{ id: 1, text: "theirs" }]);
    const before = await everyFile();
    await expect(openStore({ uri: folder })).rejects.toMatchObject({ name: "StoreVersionError" });
    expect(await everyFile()).toEqual(before);
  });

  it("a newer schema version rejects, and nothing is changed", async () => {
    await mkdir(folder, { recursive: true });
    const store = await openStore({ uri: folder });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    await store.entries.put(ILSE, [entryRow()]);
    await store.close();
    const lance = await import("@lancedb/lancedb");
    const connection = await lance.connect(folder);
    const meta = await connection.openTable("meta");
    await meta.update({ where: "name = 'schema_version'", valuesSql: { value: "'99'" } });
    connection.close();
    const before = await everyFile();
    await expect(openStore({ uri: folder })).rejects.toThrow(/schema version 99.*knows 4/);
    await expect(openStore({ uri: folder, readOnly: true })).rejects.toMatchObject({ name: "StoreVersionError" });
    expect(await everyFile()).toEqual(before);
  });

  it("tables of other names stay untouched, also by reset", async () => {
    await rawTable("theirs", [{ id: 1 }]);
    const store = await openStore({ uri: folder });
    await store.reset();
    await store.close();
    expect(await readdir(folder)).toContain("theirs.lance");
  });
});

describe("a read-only store", () => {
  it("reads what is there, refuses every write, and changes no file", async () => {
    const writer = await openStore({ uri: folder });
    await writer.ensureDimension(DIMENSION, EMBEDDER);
    await writer.entries.put(ILSE, [entryRow()]);
    await writer.close();
    const before = await everyFile();
    const reader = await openStore({ uri: folder, readOnly: true });
    await reader.ensureDimension(DIMENSION, EMBEDDER);
    expect(await reader.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })).toHaveLength(1);
    const refused = { name: "NotWritableError" };
    await expect(reader.entries.put(ILSE, [entryRow()])).rejects.toMatchObject(refused);
    await expect(reader.entries.removeAll(ILSE)).rejects.toMatchObject(refused);
    await expect(reader.optimize()).rejects.toMatchObject(refused);
    await expect(reader.scrub()).rejects.toMatchObject(refused);
    await expect(reader.reset()).rejects.toMatchObject(refused);
    await reader.close();
    expect(await everyFile()).toEqual(before);
  });
});
