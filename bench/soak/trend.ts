import type { Sample } from "./sample.js";

/** The share of the samples, at the beginning, in which caches fill and code is compiled. */
const WARM_UP = 0.25;
const MB = 1_000_000;

type Measure = Exclude<keyof Sample, "seconds" | "turns">;

/** What a measure may grow by while it is watched: noise, and what a memory keeps of what it forgot. */
const ALLOWED: { readonly [measure in Measure]: { readonly share: number; readonly least: number } } = {
  // The rows that were read last are kept, 12,000 of each table: that takes hours to fill.
  heapBytes: { share: 0, least: 12 * MB },
  externalBytes: { share: 0.03, least: MB },
  // The allocator of native code gives back what it holds when it likes.
  rssBytes: { share: 0.1, least: 16 * MB },
  resources: { share: 0, least: 2 },
  // Those of indexes that were folded away stay open until the store makes its connection anew.
  openFiles: { share: 0, least: 64 },
  files: { share: 0.05, least: 5 },
  bytes: { share: 0.05, least: 100_000 },
};

/** How a measure went after the warm-up. Plain JSON. */
export interface Trend {
  readonly measure: string;
  readonly samples: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
  /** By the line through the samples, from the first to the last one. */
  readonly grewBy: number;
  readonly allowed: number;
  readonly grows: boolean;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [left, right] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 0 ? (left + right) / 2 : right;
}

/** The median of the slopes of all pairs (Theil and Sen): a single high sample moves it little. */
function slope(points: readonly { readonly at: number; readonly value: number }[]): number {
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.value - from.value) / (to.at - from.at)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

function trendOf(measure: Measure, samples: readonly Sample[]): Trend {
  const values = samples.map((sample) => sample[measure]);
  const span = (samples.at(-1)?.seconds ?? 0) - (samples[0]?.seconds ?? 0);
  const grewBy = slope(samples.map((sample) => ({ at: sample.seconds, value: sample[measure] }))) * span;
  const { share, least } = ALLOWED[measure];
  const allowed = Math.max(least, share * median(values));
  return {
    measure,
    samples: values.length,
    least: Math.min(...values),
    median: median(values),
    most: Math.max(...values),
    grewBy,
    allowed,
    grows: grewBy > allowed,
  };
}

/** How each measure went, and whether it grows. */
export function trends(samples: readonly Sample[]): readonly Trend[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const measures: readonly Measure[] = [
    "heapBytes",
    "externalBytes",
    "rssBytes",
    "resources",
    "openFiles",
    "files",
    "bytes",
  ];
  return measures.map((measure) => trendOf(measure, warm));
}

function shown(measure: string, value: number): string {
  return measure.toLowerCase().endsWith("bytes") ? `${(value / MB).toFixed(2)} MB` : value.toFixed(0);
}

export function table(all: readonly Trend[]): string {
  const rows = all.map(({ measure, least, median, most, grewBy, allowed, grows }) => {
    const cells = [least, median, most, grewBy, allowed].map((value) => shown(measure, value));
    return `| ${measure} | ${cells.join(" | ")} | ${grows ? "yes" : "no"} |`;
  });
  return [
    "| measure | least | median | most | grew by | allowed | grows |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
