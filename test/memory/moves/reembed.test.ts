import { expect, it, onTestFinished } from "vitest";
import { DimensionMismatchError, SimpleMem } from "../../../src/index.js";
import { FakeEmbeddings } from "../../support/fakes.js";
import { filesHolding, freshFolder } from "../../support/folders.js";

type Memory = ReturnType<SimpleMem["scope"]>;

/** Runs a step before it answers its nth call for documents. */
class SteppedEmbeddings extends FakeEmbeddings {
  readonly steps = new Map<number, () => Promise<void>>();

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    await this.steps.get(this.documentCalls + 1)?.();
    return super.embedDocuments(texts);
  }
}

async function open(uri: string, embeddings: FakeEmbeddings): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({ uri, embeddings, window: { idleMs: 0 } });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem;
}

function ilse(simplemem: SimpleMem): Memory {
  return simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
}

const SAID = ["My sister Ane repairs clocks in Wels.", "I live in Graz.", "The dentist is on 3 June 2025."];

/** A folder whose vectors have 8 numbers, of two users. */
async function madeBefore(): Promise<string> {
  const uri = freshFolder();
  const simplemem = await open(uri, new FakeEmbeddings(8));
  for (const user of ["u-ilse", "u-bram"]) {
    const memory = simplemem.scope({ userId: user });
    for (const [index, content] of SAID.entries()) await memory.add({ id: `t${index}`, speaker: user, content });
    await memory.flush();
  }
  await simplemem.close();
  return uri;
}

async function everything(memory: Memory): Promise<string> {
  let text = "";
  for await (const line of memory.export()) text += line;
  return text;
}

async function findsByMeaning(memory: Memory): Promise<boolean> {
  const { hits, degraded } = await memory.search("Who repairs clocks?", { views: ["semantic", "episodic"] });
  expect(degraded).toBeUndefined();
  const views = new Set(hits.flatMap((hit) => hit.views));
  return views.has("semantic") && views.has("episodic") && /clocks/.test(hits[0]?.text ?? "");
}

it("another embedder's store takes turns, refuses what needs vectors, and loses nothing (R74)", async () => {
  const uri = await madeBefore();
  const simplemem = await open(uri, new FakeEmbeddings(16));
  const memory = ilse(simplemem);
  await memory.add({ id: "t9", speaker: "Ilse", content: "I like tea." });
  const refused = [() => memory.search("Who repairs clocks?"), () => memory.flush()];
  for (const call of refused) {
    const error: unknown = await call().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DimensionMismatchError);
    expect(String(error)).toMatch(/8.*16.*reembed\(\)/);
  }
  expect((await memory.list()).items.length).toBeGreaterThan(2);
  await simplemem.close({ flush: false });
  const back = ilse(await open(uri, new FakeEmbeddings(8)));
  expect(await findsByMeaning(back)).toBe(true);
  expect((await back.flush()).windows.stored).toBe(1);
});

it("after reembed everything is there, found by meaning, written on, and the former embedder is refused", async () => {
  const uri = await madeBefore();
  const simplemem = await open(uri, new FakeEmbeddings(16));
  const memory = ilse(simplemem);
  const before = await everything(memory);
  await memory.add({ id: "t9", speaker: "Ilse", content: "I like tea with honey." });
  const told: number[] = [];
  const report = await simplemem.reembed({ onProgress: ({ done, total }) => told.push(done / total) });
  expect(report).toMatchObject({ formerEmbedder: "fake-8", embedder: "fake-16" });
  expect(report.embeddedTexts).toBe(report.entries + report.turnPieces);
  expect(told.at(-1)).toBe(1);
  expect(await findsByMeaning(memory)).toBe(true);
  expect(await findsByMeaning(simplemem.scope({ userId: "u-bram" }))).toBe(true);
  expect((await memory.list()).items.every(({ embeddingModel }) => embeddingModel === "fake-16")).toBe(true);
  const [last = "", ...earlier] = before.trimEnd().split("\n").reverse();
  expect(last).toMatch(/end/);
  for (const line of earlier) expect(await everything(memory)).toContain(line);
  expect((await memory.flush()).entries.added).toBeGreaterThan(0);
  expect((await simplemem.reembed()).embeddedTexts).toBe(0);
  await simplemem.close();
  expect(await findsByMeaning(ilse(await open(uri, new FakeEmbeddings(16))))).toBe(true);
  await expect(ilse(await open(uri, new FakeEmbeddings(8))).search("clocks")).rejects.toThrow(DimensionMismatchError);
});

it("vectors of the same length by another embedder are not compared either", async () => {
  const uri = await madeBefore();
  const other = Object.assign(new FakeEmbeddings(8), { modelName: "other-8" });
  const simplemem = await open(uri, other);
  await expect(ilse(simplemem).search("Who repairs clocks?")).rejects.toThrow(/fake-8.*other-8/);
  await simplemem.reembed();
  expect(await findsByMeaning(ilse(simplemem))).toBe(true);
});

it("meanwhile searches go on by words, and what is added, flushed and forgotten is as it should be", async () => {
  const uri = await madeBefore();
  const former = ilse(await open(uri, new FakeEmbeddings(8)));
  const embeddings = new SteppedEmbeddings(16);
  const simplemem = await open(uri, embeddings);
  const memory = ilse(simplemem);
  embeddings.steps.set(3, async () => {
    const { hits, degraded } = await memory.search("Who repairs clocks?");
    expect(degraded).toMatch(/made anew/);
    expect(hits[0]?.text).toMatch(/clocks/);
    await memory.add({ id: "new", speaker: "Ilse", content: "I like tea with honey." });
    await former.add({ id: "old", speaker: "Ilse", content: "My brother Jon keeps bees." });
    await former.flush();
    await former.forget({ ids: ["t1"] });
  });
  await simplemem.reembed();
  await memory.flush();
  const texts = (await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement).join("\n");
  expect(texts).toMatch(/bees/);
  expect(texts).toMatch(/honey/);
  expect(texts).not.toMatch(/Graz/);
  expect(await findsByMeaning(memory)).toBe(true);
  const { hits } = await memory.search("Where does Ilse live?", { k: 50 });
  expect(hits.filter(({ text }) => /Graz/.test(text))).toEqual([]);
  await expect(former.search("bees")).rejects.toThrow();
});

it("what was broken off goes on where it ended, by a fresh process too", async () => {
  const uri = await madeBefore();
  const embeddings = new SteppedEmbeddings(16);
  embeddings.steps.set(3, () => Promise.reject(new Error("the embedder died")));
  const broken = await open(uri, embeddings);
  await expect(broken.reembed()).rejects.toThrow("the embedder died");
  expect((await ilse(broken).search("clocks")).degraded).toMatch(/made anew/);
  await broken.close({ flush: false });
  expect(await findsByMeaning(ilse(await open(uri, new FakeEmbeddings(8))))).toBe(true);
  const simplemem = await open(uri, new FakeEmbeddings(16));
  const report = await simplemem.reembed();
  expect(report.embeddedTexts).toBeGreaterThan(0);
  expect(report.embeddedTexts).toBeLessThan(report.entries + report.turnPieces);
  expect(await findsByMeaning(ilse(simplemem))).toBe(true);
});

it("a signal ends it, and what is purged meanwhile is in no file afterwards", async () => {
  const uri = await madeBefore();
  const former = ilse(await open(uri, new FakeEmbeddings(8)));
  const embeddings = new SteppedEmbeddings(16);
  const stop = new AbortController();
  embeddings.steps.set(2, async () => stop.abort(new Error("enough")));
  const simplemem = await open(uri, embeddings);
  await simplemem.reembed({ signal: stop.signal }).catch((error: unknown) => expect(String(error)).toMatch(/enough/));
  embeddings.steps.clear();
  embeddings.steps.set(embeddings.documentCalls + 2, async () => {
    await former.forget({ all: true, purge: true });
  });
  await simplemem.reembed();
  expect((await ilse(simplemem).list()).items).toEqual([]);
  expect(await findsByMeaning(simplemem.scope({ userId: "u-bram" }))).toBe(true);
  expect(filesHolding(uri, "u-ilse")).toEqual([]);
});
