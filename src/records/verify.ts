import type { Scope } from "./scope.js";

/** `fault`: a promise of the store is broken. `warning`: nothing is lost, but somebody should look, or nobody came back to it. */
export type VerifySeverity = "fault" | "warning";

/** What one rule found in the rows of one scope. Plain JSON, without any text of a turn or an entry. */
export interface VerifyFinding {
  /** Which rule, such as `entry_without_source`; docs/verify.md lists them. */
  readonly rule: string;
  /** How bad it is. */
  readonly severity: VerifySeverity;
  /** The table in which the rows lie. */
  readonly table: string;
  /** Whose rows; null for what belongs to nobody, such as a table that cannot be read. */
  readonly scope: Scope | null;
  /** Ids of the rows: of turns, windows, entries or facts; of at most 100 rows. */
  readonly ids: readonly string[];
  /** How many rows. */
  readonly count: number;
  /** What is wrong with the first of them, what the rule holds, and what to do. */
  readonly message: string;
}

/** How far a verification has come. */
export interface VerifyProgress {
  /** The table that is being read. */
  readonly table: string;
  /** Rows that were read. */
  readonly done: number;
  /** Rows of all tables when it began. */
  readonly total: number;
}

/** Options of `verify`. */
export interface VerifyOptions {
  /** Told after each page of rows. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** What a verification read and found. Plain JSON. */
export interface VerifyReport {
  /** Whether there is no fault. There may be warnings. */
  readonly ok: boolean;
  /** Version of the store's schema; null when none is noted. */
  readonly schemaVersion: number | null;
  /** Rows that were read, by table. */
  readonly checked: { readonly [table: string]: number };
  /** The faults first. At most 1,000. */
  readonly findings: readonly VerifyFinding[];
  /** Findings beyond these. */
  readonly omitted: number;
}
