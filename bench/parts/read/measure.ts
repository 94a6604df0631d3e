import { connect } from "@lancedb/lancedb";
import { SimpleMem } from "../../../src/index.js";
import { LocalEmbeddings } from "../../../src/models/index.js";
import { readableBy } from "../../../src/store/filter.js";
import { type ExactScope, openStore } from "../../../src/store/index.js";
import { isMain } from "../../suite/child.js";
import { median, megabytes, percentile, timed, timedEach } from "../../suite/numbers.js";
import { turnIdOf } from "../../suite/seed-rows.js";
import { type Said, Sentences } from "../../suite/sentences.js";
import { RawQueries } from "./raw-queries.js";

/** What is measured in a process of its own, so that its memory is that of one store. */
export interface Measured {
  readonly openMs: number;
  readonly firstMs: number;
  readonly p50: number;
  readonly p95: number;
  /** Share of the questions whose answer was among the first ten. */
  readonly found: number;
  /** The median of each search that LanceDB is asked for, by name. */
  readonly raw: { readonly [query: string]: number };
  /** Share of the ten nearest entries that the index finds. */
  readonly recall: number;
  readonly exactMs: number;
  readonly indexMs: number;
  readonly rssMb: readonly number[];
  readonly heapMb: readonly number[];
}

export interface MeasureRequest {
  readonly folder: string;
  readonly scope: ExactScope;
  /** Entries of the scope. */
  readonly entries: number;
  readonly questions: number;
  readonly rawQuestions: number;
}

const K = 10;
/** Searches before the measured ones: what is kept in memory is read by then. */
const WARM_UP = 5;
/** Two that are equally near may stand for each other. */
const SAME = 1e-5;

/** Spread over the scope, so that no part of it is asked more often than others. */
function asked(sentences: Sentences, count: number, entries: number, offset: number): Said[] {
  return Array.from({ length: count }, (_, index) =>
    sentences.at((Math.floor(((index + offset) * entries) / count) + 17 * index) % entries),
  );
}

function collected(): { rss: number; heap: number } {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: megabytes(rss), heap: megabytes(heapUsed) };
}

async function searches({ folder, scope, entries, questions }: MeasureRequest, sentences: Sentences) {
  const openedAt = performance.now();
  const simplemem = await SimpleMem.open({ uri: folder, readOnly: true, window: { idleMs: 0 } });
  const openMs = performance.now() - openedAt;
  const memory = simplemem.scope({ userId: scope.userId });
  let found = 0;
  const search = async (said: Said): Promise<void> => {
    const { hits } = await memory.search(sentences.questionFor(said), { k: K, planning: "never" });
    found += Number(hits.some(({ sourceIds }) => sourceIds.includes(turnIdOf(said.index))));
  };
  const [first, ...warm] = asked(sentences, WARM_UP, entries, 0.5);
  const firstMs = first === undefined ? 0 : await timed(() => search(first));
  await timedEach(warm, search);
  found = 0;
  const memories = [collected()];
  const times: number[] = [];
  for (const round of [0, 0.25]) {
    times.push(...(await timedEach(asked(sentences, questions, entries, round), search)));
    memories.push(collected());
  }
  await simplemem.close();
  return {
    openMs,
    firstMs,
    p50: median(times),
    p95: percentile(times, 0.95),
    found: found / times.length,
    rssMb: memories.map(({ rss }) => rss),
    heapMb: memories.map(({ heap }) => heap),
  };
}

async function rawSums(request: MeasureRequest, sentences: Sentences): Promise<{ [query: string]: number }> {
  const embeddings = new LocalEmbeddings();
  const raw = await RawQueries.open(request.folder, request.scope);
  const times: { readonly [query: string]: number }[] = [];
  for (const said of asked(sentences, request.rawQuestions + 2, request.entries, 0.1)) {
    const text = sentences.questionFor(said);
    times.push(await raw.ask({ text, vector: embeddings.embedSync(text), person: said.speaker }));
  }
  raw.close();
  const names = Object.keys(times[0] ?? {});
  // The first two open files, which later ones find open.
  return Object.fromEntries(names.map((name) => [name, median(times.slice(2).map((one) => one[name] ?? 0))]));
}

/** The nearest entries that the store finds, beside those that comparing all of them finds. */
async function vectorRecall({ folder, scope, entries, rawQuestions }: MeasureRequest, sentences: Sentences) {
  const embeddings = new LocalEmbeddings();
  const store = await openStore({ uri: folder, readOnly: true });
  const connection = await connect(folder);
  const table = await connection.openTable("entries");
  const [recalls, exactMs, indexMs]: [number[], number[], number[]] = [[], [], []];
  for (const said of asked(sentences, rawQuestions, entries, 0.2)) {
    const vector = embeddings.embedSync(sentences.questionFor(said));
    let exact: number[] = [];
    exactMs.push(
      await timed(async () => {
        const query = table.query().nearestTo(vector).distanceType("cosine").bypassVectorIndex();
        const found = await query.where(readableBy(scope)).select(["_distance"]).limit(K).toArrow();
        exact = Array.from({ length: found.numRows }, (_, row) => 1 - Number(found.getChild("_distance")?.get(row)));
      }),
    );
    indexMs.push(
      await timed(async () => {
        const near = await store.entries.nearest(scope, vector, { limit: K });
        const least = (exact.at(-1) ?? 0) - SAME;
        recalls.push(near.filter(({ score }) => score >= least).length / Math.max(1, exact.length));
      }),
    );
  }
  connection.close();
  await store.close();
  const recall = recalls.reduce((sum, one) => sum + one, 0) / Math.max(1, recalls.length);
  return { recall, exactMs: median(exactMs), indexMs: median(indexMs) };
}

/** Measures one scope of one store. */
export async function measure(request: MeasureRequest): Promise<Measured> {
  const sentences = new Sentences();
  const searched = await searches(request, sentences);
  return { ...searched, raw: await rawSums(request, sentences), ...(await vectorRecall(request, sentences)) };
}

if (isMain(import.meta.url)) {
  const request: MeasureRequest = JSON.parse(process.argv[2] ?? "");
  console.log(JSON.stringify(await measure(request)));
}
