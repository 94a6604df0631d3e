import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, it, onTestFinished } from "vitest";
import { ImportError, SimpleMem, type SimpleMemOptions } from "../../../src/index.js";
import { FakeEmbeddings } from "../../support/fakes.js";
import { freshFolder } from "../../support/folders.js";

const NOW = Date.parse("2025-04-01T12:00:00Z");
const SAID = [
  "I live in Graz.",
  "My sister Ane repairs clocks in Wels.",
  "I moved to Linz yesterday.",
  "The dentist is on 3 June 2025 at 9:00.",
  "I like tea with honey.",
];

async function openMemory(options: Partial<SimpleMemOptions> = {}): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(16),
    clock: () => NOW,
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem;
}

async function filled(options: Partial<SimpleMemOptions> = {}) {
  const simplemem = await openMemory(options);
  const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
  for (const [index, content] of SAID.entries()) {
    const timestamp = `2025-03-0${index + 1}T10:00:00+01:00`;
    await memory.add({ id: `t${index}`, speaker: "Ilse", content, timestamp, metadata: { channel: "mail", index } });
    if (index < 4) await memory.flush();
  }
  await memory.facts.remember("home.city", "Graz", { category: "home" });
  await memory.facts.remember("home.city", "Linz");
  const [first] = (await memory.list()).items;
  if (first !== undefined) {
    await memory.update(first.entryId, { text: "Ane, Ilse's sister, repairs clocks in Wels." }, { reason: "clearer" });
    await memory.pin(first.entryId);
  }
  return { simplemem, memory };
}

async function linesOf(memory: { export(): AsyncIterable<string> }): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of memory.export()) lines.push(line);
  return lines;
}

it("an export and its import into an empty store give the same export, byte for byte, also for another user", async () => {
  const { memory } = await filled();
  const lines = await linesOf(memory);
  expect(JSON.parse(lines[0] ?? "")).toEqual({ format: "simplemem-export", version: 1 });
  expect(lines.length).toBeGreaterThan(12);
  for (const scope of [{ userId: "u-ilse" }, { userId: "u-bram", agentId: "a1" }]) {
    const copy = (await openMemory()).scope(scope);
    const receipt = await copy.import(memory.export());
    expect(receipt.turns).toEqual({ added: 5, known: 0, refused: 0, left: 0 });
    expect(await linesOf(copy)).toEqual(lines);
  }
});

it("what was imported is searched, corrected, explained, and what waited is extracted", async () => {
  const { memory } = await filled();
  const copy = (await openMemory()).scope({ userId: "u-bram" });
  await copy.import(memory.export());
  const question = "Who repairs clocks?";
  const [before, after] = [await memory.search(question), await copy.search(question)];
  expect(after.hits.map(({ text }) => text)).toEqual(before.hits.map(({ text }) => text));
  const entry = (await copy.list({ filter: { pinned: true } })).items[0];
  expect((await copy.history(entry?.entryId ?? "")).map(({ op, reason }) => [op, reason])).toContainEqual([
    "updated",
    "clearer",
  ]);
  expect((await copy.why(entry?.entryId ?? "")).sources).toHaveLength(1);
  expect((await copy.stats()).pendingTurns).toBe(1);
  expect((await copy.flush()).windows).toMatchObject({ stored: 1, pending: 0 });
  expect((await copy.list()).items.map(({ losslessRestatement }) => losslessRestatement).join()).toMatch(/honey/);
});

it("the vectors are made by the importing store's embedder, in batches", async () => {
  const { memory } = await filled();
  const embeddings = new FakeEmbeddings(5);
  const copy = (await openMemory({ embeddings })).scope({ userId: "u-ilse" });
  await copy.import(memory.export());
  expect(await linesOf(copy)).toEqual(await linesOf(memory));
  expect((await copy.list()).items.map(({ embeddingModel }) => embeddingModel)).toContain("fake-5");
  expect(embeddings.documentCalls).toBeLessThan(6);
  const { hits, degraded } = await copy.search("Where is the dentist?", { views: ["semantic", "episodic"] });
  expect(degraded).toBeUndefined();
  expect(hits.some(({ views }) => views.includes("semantic"))).toBe(true);
  expect(hits.some(({ views }) => views.includes("episodic"))).toBe(true);
});

it("importing twice, or again after a break at any line, gives the same store", async () => {
  const { memory } = await filled();
  const lines = await linesOf(memory);
  for (let cut = 0; cut < lines.length; cut += 3) {
    const copy = (await openMemory()).scope({ userId: "u-ilse" });
    await expect(copy.import(lines.slice(0, cut))).rejects.toThrow(/cut off/);
    await copy.import(lines);
    expect(await linesOf(copy)).toEqual(lines);
    const again = await copy.import(lines);
    expect([again.turns.added, again.entries.added, again.windows.added, again.facts.added]).toEqual([0, 0, 0, 0]);
    expect(await linesOf(copy)).toEqual(lines);
  }
});

it("a file takes it and gives it back, in pieces that cut characters apart", async () => {
  const { memory } = await filled();
  await memory.facts.remember("greeting", "größe 你好 🙂");
  const path = join(freshFolder(), "ilse.jsonl");
  await pipeline(memory.export(), createWriteStream(path));
  const copy = (await openMemory()).scope({ userId: "u-ilse" });
  await copy.import(createReadStream(path, { highWaterMark: 7 }));
  expect(await linesOf(copy)).toEqual(await linesOf(memory));
});

it("a store that was opened read-only gives an export, and takes none", async () => {
  const uri = freshFolder();
  const { simplemem, memory } = await filled({ uri });
  const lines = await linesOf(memory);
  await simplemem.close({ flush: false });
  const reader = (await openMemory({ uri, readOnly: true })).scope({ userId: "u-ilse" });
  expect(await linesOf(reader)).toEqual(lines);
  await expect(reader.import(lines)).rejects.toThrow(/readOnly/);
});

it("what was forgotten is refused when it is imported into the same store (R60)", async () => {
  const { memory } = await filled();
  const lines = await linesOf(memory);
  const doomed = (await memory.list({ filter: { persons: ["Ane"] } })).items.map(({ entryId }) => entryId);
  await memory.forget({ ids: [...doomed, "t3", "t4"] });
  await memory.facts.forget("home.city");
  const after = await linesOf(memory);
  const receipt = await memory.import(lines);
  expect(receipt).toMatchObject({ turns: { added: 0, refused: 3 }, entries: { added: 0 }, facts: { refused: 1 } });
  expect(await linesOf(memory)).toEqual(after);
  await memory.forget({ all: true });
  await memory.import(lines);
  expect(await linesOf(memory)).toHaveLength(2);
  await memory.flush();
  expect((await memory.search("Who repairs clocks?")).hits).toEqual([]);
});

it("an entry alone that was forgotten stays forgotten, though its turn is still there", async () => {
  const simplemem = await openMemory();
  const memory = simplemem.scope({ userId: "u-ilse" });
  await memory.add({ id: "t1", speaker: "Ilse", content: "I live in Graz. My sister Ane repairs clocks." });
  await memory.flush();
  const lines = await linesOf(memory);
  const [first, ...others] = (await memory.list()).items;
  expect(others.length).toBeGreaterThan(0);
  await memory.forget({ ids: [first?.entryId ?? ""] });
  const receipt = await memory.import(lines);
  expect(receipt.entries).toEqual({ added: 0, known: others.length, refused: 1, left: 0 });
  expect(receipt.turns).toMatchObject({ known: 1, refused: 0 });
});

it.each([
  ["no JSON", (lines: string[]) => lines.with(3, "{"), /line 4: this is no JSON/],
  [
    "an unknown field",
    (lines: string[]) => lines.with(2, lines[2]?.replace('"turn":{', '"turn":{"mood":1,') ?? ""),
    /line 3: .*mood/,
  ],
  ["an unknown type", (lines: string[]) => lines.with(1, '{"type":"mood"}\n'), /line 2: .*"mood"/],
  [
    "a newer version",
    (lines: string[]) => lines.with(0, '{"format":"simplemem-export","version":2}\n'),
    /line 1: .*version 2.*Update/,
  ],
  ["no header", (lines: string[]) => lines.slice(1), /line 1: an export begins with/],
  ["a missing record", (lines: string[]) => lines.toSpliced(4, 1), /records, but/],
  ["something after the end", (lines: string[]) => [...lines, lines[1] ?? ""], /nothing may follow/],
])(
  "%s is refused by an error that names the line, and a mended file completes the import",
  async (_, broken, message) => {
    const { memory } = await filled();
    const lines = await linesOf(memory);
    const copy = (await openMemory()).scope({ userId: "u-ilse" });
    const error: unknown = await copy.import(broken(lines)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ImportError);
    expect(String(error)).toMatch(message);
    await copy.import(lines);
    expect(await linesOf(copy)).toEqual(lines);
  },
);

it("a turn id that is taken by other content names the line and changes nothing", async () => {
  const { memory } = await filled();
  const other = (await openMemory()).scope({ userId: "u-ilse" });
  await other.add({ id: "t1", speaker: "Ilse", content: "Something else." });
  const before = await linesOf(other);
  await expect(other.import(memory.export())).rejects.toThrow(/line 3: the turn id "t1" is taken/);
  expect(await linesOf(other)).toEqual(before);
});

it("no scope's rows are in another's export, and all rows are, however many (R34, R58)", async () => {
  const simplemem = await openMemory();
  const memory = simplemem.scope({ userId: "u-ilse" });
  const bram = simplemem.scope({ userId: "u-bram" });
  const words = (name: string, index: number) => ({
    id: `${name}${index}`,
    speaker: name,
    content: `Number ${index}.`,
  });
  await memory.add(Array.from({ length: 25 }, (_, index) => words("Ilse", index)));
  await bram.add(Array.from({ length: 1_225 }, (_, index) => words("Bram", index)));
  const lines = await linesOf(bram);
  expect(lines).toHaveLength(1_227);
  expect(lines.join("")).not.toMatch(/Ilse/);
  expect(await linesOf(memory)).toHaveLength(27);
  const copy = (await openMemory()).scope({ userId: "u-copy" });
  expect((await copy.import(lines)).turns.added).toBe(1_225);
  expect(await linesOf(copy)).toEqual(lines);
}, 60_000);

it("an old conversation that is imported anew never overrides what was said since", async () => {
  const old = (await openMemory()).scope({ userId: "u-ilse" });
  await old.add({ id: "o1", speaker: "Ilse", content: "I live in Graz.", timestamp: "2024-01-05T10:00:00Z" });
  await old.flush();
  const memory = (await openMemory()).scope({ userId: "u-ilse" });
  await memory.add({ id: "n1", speaker: "Ilse", content: "I live in Linz.", timestamp: "2025-03-05T10:00:00Z" });
  await memory.flush();
  const receipt = await memory.import(old.export(), { entries: "anew" });
  expect(receipt.entries).toEqual({ added: 0, known: 0, refused: 0, left: 1 });
  await memory.flush();
  expect((await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement)).toEqual([
    expect.stringContaining("Linz"),
  ]);
});

it("an entry that says what another active one says comes in as its history", async () => {
  const say = { speaker: "Ilse", content: "I live in Graz.", timestamp: "2024-01-05T10:00:00Z" };
  const old = (await openMemory()).scope({ userId: "u-ilse" });
  await old.add({ id: "o1", ...say });
  await old.flush();
  const memory = (await openMemory()).scope({ userId: "u-ilse" });
  await memory.add({ id: "n1", ...say });
  await memory.flush();
  await memory.import(old.export());
  const all = (await memory.list({ status: ["active", "superseded"] })).items;
  expect(all.map(({ status }) => status).sort()).toEqual(["active", "superseded"]);
});

it("progress is told, and a signal ends it between two batches", async () => {
  const { memory } = await filled();
  const copy = (await openMemory()).scope({ userId: "u-ilse" });
  const stop = new AbortController();
  const told: number[] = [];
  const onProgress = ({ turns }: { turns: { added: number } }) => {
    told.push(turns.added);
    stop.abort(new Error("enough"));
  };
  await expect(copy.import(memory.export(), { signal: stop.signal, onProgress })).rejects.toThrow("enough");
  expect(told).toEqual([5]);
  await copy.import(memory.export());
  expect(await linesOf(copy)).toEqual(await linesOf(memory));
});

it("keys and passwords that an export holds are cut out where they are imported", async () => {
  const { memory } = await filled({ redact: false });
  await memory.add({ speaker: "Ilse", content: "My password: hunter22-correct-horse" });
  const copy = (await openMemory()).scope({ userId: "u-ilse" });
  await copy.import(memory.export());
  expect((await linesOf(copy)).join("")).not.toMatch(/hunter22/);
});
