import { inChild } from "../../suite/child.js";
import { rounded, sizeName } from "../../suite/numbers.js";
import {
  type BenchOptions,
  type BenchTable,
  type Part,
  type Plot,
  repetitions,
  type Target,
} from "../../suite/part.js";
import { LARGE, SMALL, SMALL_ENTRIES, seed, storeOf } from "../../suite/seed.js";
import { type Measured, type MeasureRequest, measure } from "./measure.js";

const QUESTIONS = 100;
const RAW_QUESTIONS = 30;
/** What a search may cost beside the queries that it needs. */
const [RATIO, OWN_MS] = [1.3, 6];

interface Read extends Measured {
  readonly size: number;
  readonly scope: string;
  readonly rawMs: number;
}

function apart(request: MeasureRequest): Promise<Measured> {
  return inChild(new URL("./measure.ts", import.meta.url), [JSON.stringify(request)], ["--expose-gc"]);
}

async function read(options: BenchOptions, size: number): Promise<Read[]> {
  const folder = storeOf(options.stores, size);
  await seed(folder, size);
  const reads: Read[] = [];
  for (const scope of [SMALL, LARGE]) {
    const request: MeasureRequest = {
      folder,
      scope,
      entries: scope === LARGE ? size : Math.min(size, SMALL_ENTRIES),
      questions: repetitions(options, QUESTIONS),
      rawQuestions: repetitions(options, RAW_QUESTIONS),
    };
    const measured = await (options.together ? measure(request) : apart(request));
    const rawMs = Object.values(measured.raw).reduce((sum, ms) => sum + ms, 0);
    reads.push({ ...measured, size, scope: scope.userId, rawMs });
  }
  return reads;
}

function tablesOf(reads: readonly Read[]): BenchTable[] {
  const named = ({ size, scope }: Read) => ({ entries: sizeName(size), scope });
  return [
    {
      title: "Hybrid search, ten hits, planning off; beside it the sum of the searches that LanceDB is asked for",
      rows: reads.map((one) => ({
        ...named(one),
        "p50 ms": rounded(one.p50),
        p95: rounded(one.p95),
        "LanceDB, sum ms": rounded(one.rawMs),
        ratio: rounded(one.p50 / one.rawMs),
        "first search": rounded(one.firstMs),
        open: rounded(one.openMs),
        "answer among ten": rounded(one.found),
      })),
    },
    {
      title: "The searches that LanceDB is asked for, p50 ms of each",
      rows: reads.map((one) => ({
        ...named(one),
        ...Object.fromEntries(Object.entries(one.raw).map(([query, ms]) => [query, rounded(ms)])),
      })),
    },
    {
      title: "The ten nearest entries: through the index that maintain builds, and exactly",
      rows: reads.map((one) => ({
        ...named(one),
        "recall@10": rounded(one.recall),
        "p50 ms": rounded(one.indexMs),
        "exact, p50 ms": rounded(one.exactMs),
      })),
    },
    {
      title: "Memory of the process in MB, before, in the middle and at the end of the searches",
      rows: reads.map((one) => ({ ...named(one), resident: one.rssMb.join(" → "), heap: one.heapMb.join(" → ") })),
    },
  ];
}

function targetsOf(reads: readonly Read[]): Target[] {
  const large = reads.filter(({ scope }) => scope === LARGE.userId);
  const overhead = reads.map(({ p50, rawMs, size, scope }) => ({
    what: `search p50 − ${RATIO} × LanceDB's sum, ms, ${sizeName(size)}, ${scope} scope`,
    measured: rounded(p50 - RATIO * rawMs),
    limit: OWN_MS,
  }));
  const recall = Math.min(...reads.map((one) => one.recall));
  const [small = large[0], last] = [large.find(({ size }) => size >= 1e4), large.at(-1)];
  if (small === undefined || last === undefined) return overhead;
  return [
    ...overhead,
    { what: "recall@10 against exact, the least", measured: rounded(recall), limit: 0.95, atLeast: true },
    {
      what: `search p50 at ${sizeName(last.size)} ÷ at ${sizeName(small.size)}, large scope`,
      measured: rounded(last.p50 / small.p50),
      limit: 4,
    },
  ];
}

function plotOf(reads: readonly Read[]): Plot {
  const lineOf = (name: string, scope: string, of: (one: Read) => number) => ({
    name,
    points: reads.filter((one) => one.scope === scope).map((one) => [one.size, of(one)] as const),
  });
  return {
    file: "bench-read",
    title: "Searching",
    x: "entries in the store",
    y: "ms, p50",
    lines: [
      lineOf("search, large scope", LARGE.userId, ({ p50 }) => p50),
      lineOf("search, small scope", SMALL.userId, ({ p50 }) => p50),
      lineOf("LanceDB, large scope", LARGE.userId, ({ rawMs }) => rawMs),
      lineOf("LanceDB, small scope", SMALL.userId, ({ rawMs }) => rawMs),
    ],
  };
}

/** Searching, beside what LanceDB takes for the same. */
export const reading: Part = async (options) => {
  const reads: Read[] = [];
  for (const size of options.sizes) reads.push(...(await read(options, size)));
  return { tables: tablesOf(reads), targets: targetsOf(reads), plots: [plotOf(reads)] };
};
