import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings } from "../support/fakes.js";
import { formerEmbeddings, formerStore } from "../support/former-stores.js";

async function open(uri: string, embeddings = formerEmbeddings()): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({ uri, embeddings, window: { idleMs: 0 } });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem;
}

function ilse(simplemem: SimpleMem) {
  return simplemem.scope({ userId: "ilse", sessionId: "s1", userName: "Ilse" });
}

function contents(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  const hash = createHash("sha256");
  for (const path of paths) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

describe.each([1, 2, 3])("a store of schema version %i", (version) => {
  it("is brought up to date when it is opened, and nothing is lost (R74, R79)", async () => {
    const uri = formerStore(version);
    const memory = ilse(await open(uri));
    expect(await memory.stats()).toMatchObject({ turns: 5, pendingTurns: 1, facts: 1, windows: { stored: 1 } });
    expect((await memory.turns()).map(({ dialogueId }) => dialogueId)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    const texts = (await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement).join("\n");
    expect(texts).toMatch(/clocks/);
    expect(texts).toMatch(/Linz/);
    const byMeaning = await memory.search("Who repairs clocks?", { views: ["semantic", "episodic"] });
    expect(byMeaning.hits[0]?.text).toMatch(/clocks/);
    expect((await memory.search("dentist", { views: ["lexical", "episodic"] })).hits[0]?.text).toMatch(/dentist/);
    expect((await memory.facts.recall("home.*")).map(({ value }) => value)).toEqual(["Linz"]);
  });

  it("is written on: what waited is extracted, entries are corrected, turns added and forgotten (R79)", async () => {
    const uri = formerStore(version);
    const simplemem = await open(uri);
    const memory = ilse(simplemem);
    await memory.add({ id: "t6", speaker: "Ilse", content: "My brother Jon keeps bees." });
    expect((await memory.flush()).failures).toEqual([]);
    const found = (await memory.list()).items.find(({ losslessRestatement }) => /clocks/.test(losslessRestatement));
    await memory.update(found?.entryId ?? "", { topic: "crafts" });
    expect((await memory.history(found?.entryId ?? "")).length).toBeGreaterThan(1);
    await memory.forget({ ids: ["t3"] });
    await simplemem.close();
    const again = ilse(await open(uri));
    const texts = (await again.list()).items.map(({ losslessRestatement }) => losslessRestatement).join("\n");
    expect(texts).toMatch(/bees/);
    expect(texts).toMatch(/honey/);
    expect(texts).not.toMatch(/dentist/);
    const copy = (await open("memory://")).scope({ userId: "ilse" });
    expect((await copy.import(again.export())).turns).toMatchObject({ added: 5 });
  });

  it("may be opened by several at once, and read-only it is refused and left as it is (R79)", async () => {
    const uri = formerStore(version);
    const before = contents(uri);
    await expect(SimpleMem.open({ uri, readOnly: true })).rejects.toThrow(/Open it once without readOnly/);
    expect(contents(uri)).toBe(before);
    const all = await Promise.all([open(uri), open(uri), open(uri)]);
    for (const simplemem of all) expect((await ilse(simplemem).stats()).turns).toBe(5);
  });

  it("takes another embedder by reembed (R74)", async () => {
    const simplemem = await open(formerStore(version), new FakeEmbeddings(16));
    await simplemem.reembed();
    const { hits } = await ilse(simplemem).search("Who repairs clocks?", { views: ["semantic"] });
    expect(hits[0]?.text).toMatch(/clocks/);
  });
});

it("a store of schema version 1 whose entries were brought half up to date is gone on with (R79)", async () => {
  const uri = formerStore(1);
  const lance = await import("@lancedb/lancedb");
  const connection = await lance.connect(uri);
  const entries = await connection.openTable("entries");
  await entries.addColumns([{ name: "record", valueSql: "CAST(NULL AS STRING)" }]);
  connection.close();
  expect(
    (await ilse(await open(uri)).list()).items.map(({ losslessRestatement }) => losslessRestatement).join(),
  ).toMatch(/clocks/);
});

it("records that are made of columns hold what version 3 wrote of the same turns", async () => {
  const records = async (version: number) => {
    const { items } = await ilse(await open(formerStore(version))).list({ status: ["active", "superseded"] });
    return items.map((entry) => [
      [entry.entryId, entry.sessionId, entry.losslessRestatement, entry.speaker, entry.sourceRole, entry.sourceIds],
      [entry.kind, entry.status, entry.trust, entry.supersedes, entry.supersededBy, entry.derivedFrom, entry.location],
      [entry.timestamp, entry.timestampEnd, entry.mentionedAt, entry.validFrom, entry.validTo, entry.expiresAt],
      [entry.accessCount, entry.lastAccessedAt, entry.pinned, entry.embeddingModel],
    ]);
  };
  expect(await records(1)).toEqual(await records(3));
});
