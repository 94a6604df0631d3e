import { monitorEventLoopDelay } from "node:perf_hooks";
import { SimpleMem } from "../../src/index.js";
import { LocalEmbeddings } from "../../src/models/index.js";
import { inChild, isMain } from "../suite/child.js";
import { inFreshFolder } from "../suite/folders.js";
import { madeUpTurns } from "../suite/made-up.js";
import { megabytes, rounded, timed } from "../suite/numbers.js";
import { type Cells, type Part, repetitions, type Target } from "../suite/part.js";

const SENTENCES = 20_000;
const WARM_UP = 1_000;
const BULK_TURNS = 5_000;
const NAMES = ["Ilse", "Marek", "Oona", "Tadeo"];
const THINGS = ["an old clock", "a wooden boat", "the garden wall", "a violin", "her bicycle"];
const PLACES = ["in the harbour", "behind the mill", "at the market", "near the station"];

interface Embedded {
  readonly loadMs: number;
  readonly perSecond: number;
  /** What the table adds to the process. */
  readonly loadedMb: number;
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? "";
}

/** No two sentences are equal. */
function sentences(count: number, first: number): string[] {
  return Array.from({ length: count }, (_, offset) => {
    const index = first + offset;
    return `${pick(NAMES, index)} repairs ${pick(THINGS, index)} ${pick(PLACES, index)}, visit ${index}.`;
  });
}

async function embed(count: number): Promise<Embedded> {
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const embeddings = new LocalEmbeddings();
  const loadMs = performance.now() - startedAt;
  const loadedMb = megabytes(process.memoryUsage.rss() - before);
  await embeddings.embedDocuments(sentences(WARM_UP, count));
  const ms = await timed(() => embeddings.embedDocuments(sentences(count, 0)));
  return { loadMs, perSecond: (count / ms) * 1000, loadedMb };
}

/** In as many processes at once. */
async function onCores(cores: number, count: number): Promise<Cells> {
  const script = new URL(import.meta.url);
  const all = await Promise.all(Array.from({ length: cores }, () => inChild<Embedded>(script, [String(count)])));
  const [first] = all;
  return {
    cores,
    "sentences/s": Math.round(all.reduce((sum, { perSecond }) => sum + perSecond, 0)),
    "load ms": rounded(first?.loadMs ?? 0),
    "memory MB": first?.loadedMb ?? 0,
  };
}

async function longestBlock(run: () => Promise<unknown>): Promise<{ ms: number; blockedMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const ms = await timed(run);
  // The last block is seen by the timer that comes after it.
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return { ms: rounded(ms), blockedMs: rounded(delay.max / 1e6) };
}

/** How long other work of the process waits while much is added at once. */
async function blocks(count: number): Promise<Cells[]> {
  return inFreshFolder(async (folder) => {
    const simplemem = await SimpleMem.open({ uri: folder, window: { idleMs: 0, background: false } });
    const memory = simplemem.scope({ userId: "bench" });
    await memory.add({ speaker: "Ilse", content: "Ilse is here." });
    await memory.search("Who is here?");
    const turns = madeUpTurns(count);
    const texts = turns.map(({ content }) => content);
    const embeddings = new LocalEmbeddings();
    const steps: readonly [string, () => Promise<unknown>][] = [
      ["embedDocuments", () => embeddings.embedDocuments(texts)],
      ["add", () => memory.add(turns)],
      ["the first search, which indexes them", () => memory.search("Who repaired the boat?")],
      ["flush", () => memory.flush()],
    ];
    const rows: Cells[] = [];
    for (const [step, run] of steps) {
      const { ms, blockedMs } = await longestBlock(run);
      rows.push({ step, turns: count, ms, "longest block ms": blockedMs });
    }
    await simplemem.close();
    return rows;
  });
}

function targetsOf(cores: readonly Cells[], blocked: readonly Cells[]): Target[] {
  const blockOf = (step: string) => Number(blocked.find((row) => row.step === step)?.["longest block ms"]);
  return [
    {
      what: "sentences a second on one core",
      measured: Number(cores[0]?.["sentences/s"]),
      limit: 5_000,
      atLeast: true,
    },
    { what: "longest block of a bulk embedding, ms", measured: blockOf("embedDocuments"), limit: 50 },
    { what: "longest block of a bulk add, ms", measured: blockOf("add"), limit: 50 },
  ];
}

/** The local embeddings, and what a bulk leaves to others. */
export const embedding: Part = async (options) => {
  const count = repetitions(options, SENTENCES);
  const cores = [await onCores(1, count), ...(options.together ? [] : [await onCores(2, count)])];
  const blocked = await blocks(repetitions(options, BULK_TURNS));
  return {
    tables: [
      { title: "LocalEmbeddings, one process for each core", rows: cores },
      { title: "How long the event loop is blocked by a bulk", rows: blocked },
    ],
    targets: targetsOf(cores, blocked),
  };
};

if (isMain(import.meta.url)) console.log(JSON.stringify(await embed(Number(process.argv[2]))));
