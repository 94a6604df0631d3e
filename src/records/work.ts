import type { WriteReport } from "./results.js";
import type { Scope } from "./scope.js";
import type { Usage } from "./usage.js";

/** Options of `work`. */
export interface WorkOptions {
  /** Ends the work: nothing new is begun, and what is under way gets `graceMs`. Absent: it ends when the engine is closed. */
  readonly signal?: AbortSignal;
  /** True: takes all that waits, however young it is, and ends when nothing more can be done at the moment. Default false. */
  readonly once?: boolean;
  /** Users that are worked for at the same time, 1 to 64; their windows share `limits.maxConcurrency`. Default 4. */
  readonly concurrency?: number;
  /** Windows of one user, 1 to 1,000, before it is another user's turn. Default 8. */
  readonly windowsAtOnce?: number;
  /** Milliseconds from one look to the next while nothing waits; they grow up to 16 times as long while nothing comes. Default 1,000. */
  readonly pollMs?: number;
  /**
   * Milliseconds without a new turn of a user after which what is pending is processed though no window is full; 0: at once.
   * Default: `window.idleMs` of the engine, and 30,000 where that is 0.
   */
  readonly idleMs?: number;
  /** Milliseconds before a window that failed is tried again; twice as long after each further try, up to 10 minutes. Default 10,000. */
  readonly retryMs?: number;
  /** Milliseconds that a worker which is to end may still take; then it lets go of what it holds. Default 20,000. */
  readonly graceMs?: number;
  /** Told after each turn of a user. What it throws ends the work. */
  readonly onReport?: (report: StintReport) => void;
}

/** What a worker did for one user before it was another user's turn. */
export interface StintReport {
  /** Whose windows these were. */
  readonly scope: Scope;
  /** As of a `flush`. */
  readonly report: WriteReport;
}

/** What a worker did until it ended. */
export interface WorkReport {
  /** How often it was some user's turn. */
  readonly stints: number;
  /** Windows that it stored, and those whose last try it was, in vain. */
  readonly windows: { readonly stored: number; readonly failed: number };
  /** What became of the extracted items. */
  readonly entries: WriteReport["entries"];
  /** Tries that failed. */
  readonly failures: number;
  /** What it cost. */
  readonly usage: Usage;
}
