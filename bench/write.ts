import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connect } from "@lancedb/lancedb";
import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from "apache-arrow";
import { LocalEmbeddings, SimpleMem, type TurnInput } from "../src/index.js";

/**
 * Measures writing without a model, in ratios against plain LanceDB appends of the same run, since the speed of the disk
 * and of the machine differ: a table for people, then one line of JSON for programs.
 *
 * npm run bench:write -- [--turns file.jsonl] [--embedder local|null] [--rounds 3] [--processes 2] [--each 200]
 *
 * `--turns`: one turn as JSON per line (speaker, content, timestamp); absent: a made-up conversation of 600 turns.
 * `--embedder null`: vectors of eight numbers that cost nothing, so that only the store and the rules are measured.
 * `--each 0` leaves the processes out.
 */
const OPTIONS = {
  turns: { type: "string" },
  embedder: { type: "string", default: "local" },
  rounds: { type: "string", default: "3" },
  processes: { type: "string", default: "2" },
  each: { type: "string", default: "200" },
  worker: { type: "string" },
  folder: { type: "string" },
} as const;

const TURNS = 600;
const SINGLES = 100;
const NULL_DIMENSION = 8;
/** What one accepted turn must append to: the inbox and the log. */
const APPENDS_PER_ADD = 2;
const TURN_MS = 90_000;
const FIRST_TURN = Date.parse("2025-03-04T09:00:00Z");

const SPEAKERS = ["Ilse Corrin", "Marek Dahl"];
const THINGS = ["an old clock", "the wooden boat", "a garden wall", "her violin", "the blue bicycle", "a kite"];
const PLACES = ["the harbour", "Mill Lane", "Porthaven", "the market", "Station Road"];
const FRAMES = [
  (thing: string, place: string, number: number) => `I repaired ${thing} near ${place} for ${number} euros yesterday.`,
  (thing: string, place: string) => `That sounds great! Did you take ${thing} to ${place} again?`,
  (_thing: string, place: string, number: number) =>
    `We meet at ${place} next Friday, ${number % 12} people are coming.`,
  (thing: string) => `I don't like ${thing} any more, honestly.`,
  () => "Haha, me too.",
  (thing: string, place: string, number: number) =>
    `My sister Oona moved to ${place} in ${1990 + (number % 30)} and she keeps ${thing} in the hall.`,
];

/** Vectors that cost nothing, so that what is measured is everything else. */
class NullEmbeddings {
  readonly modelName = "null";

  embedSync(texts: readonly string[]): number[][] {
    return texts.map((text) =>
      Array.from({ length: NULL_DIMENSION }, (_, index) => (text.charCodeAt(index % text.length) % 31) - 15.5),
    );
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return this.embedSync(texts);
  }

  async embedQuery(text: string): Promise<number[]> {
    return this.embedSync([text]).flat();
  }
}

function pick<T>(list: readonly T[], index: number, fallback: T): T {
  return list[index % list.length] ?? fallback;
}

function madeUpTurn(index: number): TurnInput {
  const frame = FRAMES[(index * 7) % FRAMES.length];
  const content = frame?.(pick(THINGS, index * 5, ""), pick(PLACES, index * 3, ""), index) ?? "";
  const timestamp = new Date(FIRST_TURN + index * TURN_MS).toISOString();
  return { id: `t${index}`, speaker: pick(SPEAKERS, index, ""), content, timestamp };
}

async function readTurns(file: string | undefined): Promise<TurnInput[]> {
  if (file === undefined) return Array.from({ length: TURNS }, (_, index) => madeUpTurn(index));
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line): TurnInput => JSON.parse(line));
}

async function inFreshFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "bench-write-"));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function embeddingsOf(name: string): LocalEmbeddings | NullEmbeddings {
  return name === "null" ? new NullEmbeddings() : new LocalEmbeddings();
}

function openMemory(folder: string, embedder: string): Promise<SimpleMem> {
  return SimpleMem.open({ uri: folder, embeddings: embeddingsOf(embedder), window: { idleMs: 0 } });
}

/** Plain LanceDB: one row a time, and all rows at once into a table of text and one with vectors. */
async function rawAppends(turns: readonly TurnInput[], dimension: number) {
  return inFreshFolder(async (folder) => {
    const connection = await connect(folder);
    const text = [
      new Field("id", new Utf8(), false),
      new Field("speaker", new Utf8(), false),
      new Field("content", new Utf8(), false),
      new Field("at", new Float64(), false),
    ];
    const vector = new Field("vector", new FixedSizeList(dimension, new Field("item", new Float32(), true)), true);
    const rows = turns.map(({ speaker, content }, index) => ({ id: `t${index}`, speaker, content, at: index }));
    const numbers = Array.from({ length: dimension }, (_, index) => index + 1);
    const single = await connection.createEmptyTable("single", new Schema(text));
    const singles: number[] = [];
    for (let index = 0; index < SINGLES; index += 1)
      singles.push(await timed(() => single.add(rows.slice(index, index + 1))));
    const plain = await connection.createEmptyTable("plain", new Schema(text));
    const vectors = await connection.createEmptyTable("vectors", new Schema([...text, vector]));
    const bulk = await timed(async () => {
      await plain.add(rows);
      await vectors.add(rows.map((row) => ({ ...row, vector: numbers })));
    });
    connection.close();
    return { oneMs: median(singles), bulkMsPerTurn: bulk / turns.length };
  });
}

/** Number of the newest version of each table: what was committed since the folder was made. */
async function commitsOf(folder: string): Promise<{ [table: string]: number }> {
  const connection = await connect(folder);
  const names = await connection.tableNames();
  const versions = await Promise.all(names.map(async (name) => (await connection.openTable(name)).version()));
  connection.close();
  return Object.fromEntries(names.map((name, index) => [name, versions[index] ?? 0]));
}

/** All turns in one `add`, then `flush`, then what runs in the background. */
async function bulk(turns: readonly TurnInput[], embedder: string) {
  return inFreshFolder(async (folder) => {
    const simplemem = await openMemory(folder, embedder);
    const memory = simplemem.scope({ userId: "bench" });
    const addMs = await timed(() => memory.add(turns));
    let stored = { windows: 0, entries: 0 };
    const flushMs = await timed(async () => {
      const { windows, entries } = await memory.flush();
      stored = { windows: windows.stored, entries: entries.added };
    });
    const closeMs = await timed(() => simplemem.close());
    return { addMs, flushMs, closeMs, ...stored, commits: await commitsOf(folder) };
  });
}

/** One turn per `add`. */
async function singles(turns: readonly TurnInput[], embedder: string) {
  return inFreshFolder(async (folder) => {
    const simplemem = await openMemory(folder, embedder);
    const memory = simplemem.scope({ userId: "bench" });
    const adds: number[] = [];
    for (const turn of turns.slice(0, SINGLES)) adds.push(await timed(() => memory.add(turn)));
    const flushMs = await timed(() => memory.flush());
    await simplemem.close();
    return { addMs: median(adds), flushMsPerTurn: flushMs / SINGLES };
  });
}

/** A process that adds and flushes turn by turn. */
async function work(folder: string, name: string, turns: readonly TurnInput[], embedder: string): Promise<void> {
  const simplemem = await openMemory(folder, embedder);
  const memory = simplemem.scope({ userId: "bench", sessionId: name });
  for (const [index, turn] of turns.entries()) {
    await memory.add({ ...turn, id: `${name}-${index}`, content: `${turn.content} (${name} ${index})` });
    await memory.flush();
  }
  await simplemem.close();
}

async function processes(count: number, each: number, args: readonly string[]) {
  return inFreshFolder(async (folder) => {
    const script = fileURLToPath(import.meta.url);
    const start = (name: string) =>
      new Promise<void>((resolve, reject) => {
        const own = ["--import", "tsx", script, ...args, "--worker", name, "--folder", folder];
        const child = spawn(process.execPath, own, { stdio: "inherit" });
        child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
      });
    const ms = await timed(() => Promise.all(Array.from({ length: count }, (_, index) => start(`p${index}`))));
    return { seconds: ms / 1000, msPerTurn: ms / (count * each), commits: await commitsOf(folder) };
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

async function measure(turns: readonly TurnInput[], embedder: string, rounds: number) {
  const dimension = embedder === "null" ? NULL_DIMENSION : new LocalEmbeddings().dimension;
  const raws = [];
  const bulks = [];
  const ones = [];
  for (let round = 0; round < rounds; round += 1) {
    raws.push(await rawAppends(turns, dimension));
    bulks.push(await bulk(turns, embedder));
    ones.push(await singles(turns, embedder));
  }
  const rawOne = median(raws.map((raw) => raw.oneMs));
  const rawBulk = median(raws.map((raw) => raw.bulkMsPerTurn));
  const bulkAll = median(bulks.map((one) => one.addMs + one.flushMs + one.closeMs)) / turns.length;
  const addOne = median(ones.map((one) => one.addMs));
  return {
    embedder,
    turns: turns.length,
    windows: bulks[0]?.windows,
    entries: bulks[0]?.entries,
    rawAppendMs: rounded(rawOne),
    rawBulkMsPerTurn: rounded(rawBulk),
    addOneMs: rounded(addOne),
    addOneToRaw: rounded(addOne / (rawOne * APPENDS_PER_ADD)),
    bulkAddMsPerTurn: rounded(median(bulks.map((one) => one.addMs)) / turns.length),
    bulkFlushMsPerTurn: rounded(median(bulks.map((one) => one.flushMs)) / turns.length),
    bulkMsPerTurn: rounded(bulkAll),
    bulkToRaw: rounded(bulkAll / rawBulk),
    flushAfterSinglesMsPerTurn: rounded(median(ones.map((one) => one.flushMsPerTurn))),
    commits: bulks[0]?.commits,
  };
}

const { values: options } = parseArgs({ options: OPTIONS });
const turns = await readTurns(options.turns);
const each = Number(options.each);
if (options.worker !== undefined && options.folder !== undefined) {
  await work(options.folder, options.worker, turns.slice(0, each), options.embedder);
} else {
  const alone = Number(options.rounds) > 0 ? await measure(turns, options.embedder, Number(options.rounds)) : {};
  const together = each > 0 ? await processes(Number(options.processes), each, process.argv.slice(2)) : null;
  const beside =
    together === null
      ? {}
      : { processSeconds: rounded(together.seconds), processMsPerTurn: rounded(together.msPerTurn) };
  const result = { ...alone, ...beside, processCommits: together?.commits };
  console.table(
    Object.entries(result).map(([measured, value]) => ({
      measured,
      value: typeof value === "object" ? JSON.stringify(value) : value,
    })),
  );
  console.log(JSON.stringify(result));
}
