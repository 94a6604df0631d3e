/** What one row of a table says, by the names of its columns. */
export type Cells = { readonly [column: string]: string | number | null };

export interface BenchTable {
  readonly title: string;
  readonly rows: readonly Cells[];
}

/** What was aimed at, and what came of it. */
export interface Target {
  readonly what: string;
  readonly measured: number;
  /** The measured value is to be at most, or at least, this. */
  readonly limit: number;
  readonly atLeast?: boolean;
}

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A plot with logarithmic axes: sizes of stores beside times. */
export interface Plot {
  /** Name of the file, without `.svg`. */
  readonly file: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
}

export interface Outcome {
  readonly tables: readonly BenchTable[];
  readonly targets?: readonly Target[];
  readonly plots?: readonly Plot[];
  /** What could not be measured, and why. */
  readonly left?: readonly string[];
}

export interface BenchOptions {
  /** Entries of the large scope of each store, rising. */
  readonly sizes: readonly number[];
  /** Seeded stores lie here, one folder for each size, and are used again. */
  readonly stores: string;
  /** Share of the usual repetitions, more than 0; 1 for figures that are published. */
  readonly effort: number;
  /** True: everything in this process, where a figure would otherwise get a process of its own. For a look, not for figures. */
  readonly together: boolean;
  /** Conversations of LoCoMo, for the parts that ask questions about them. */
  readonly locomo: string;
  /** Names of files of that folder; absent: all. */
  readonly files?: readonly string[];
}

/** One part of the suite. */
export type Part = (options: BenchOptions) => Promise<Outcome>;

/** So many repetitions, by the effort; at least two. */
export function repetitions(options: Pick<BenchOptions, "effort">, usual: number): number {
  return Math.max(2, Math.round(usual * options.effort));
}

export function isMet({ measured, limit, atLeast = false }: Target): boolean {
  return atLeast ? measured >= limit : measured <= limit;
}
