import type { EntryKind, EntryStatus, MemoryEntry } from "./entry.js";
import type { Metadata } from "./turn.js";
import type { Usage } from "./usage.js";

export type View = "semantic" | "lexical" | "symbolic" | "episodic";
export const VIEWS = ["semantic", "lexical", "symbolic", "episodic"] as const satisfies View[];

/** What a read may be narrowed to. Every given part must hold; a list holds when one of its values does. */
export interface MemoryFilter {
  readonly sessionId?: string;
  readonly persons?: readonly string[];
  readonly entities?: readonly string[];
  readonly location?: string;
  readonly kind?: EntryKind | readonly EntryKind[];
  readonly status?: EntryStatus | readonly EntryStatus[];
  /** Inclusive lower bound, ISO 8601. Judged by `timestamp`, else by `mentionedAt`. */
  readonly after?: string;
  /** Exclusive upper bound, ISO 8601; a bare date such as "2025-01-31" includes that whole day. */
  readonly before?: string;
  readonly topic?: string;
  readonly speaker?: string;
  /** Keys of `metadata` that must equal these values exactly. */
  readonly metadata?: Metadata;
}

export type QuestionType = "when" | "who" | "where" | "what" | "count" | "yes_no" | "list" | "reason" | "open";

/** What a question asks for and how deep to look. Plain JSON. */
export interface Plan {
  readonly question: string;
  /** At most 4; the question itself is always the first. */
  readonly queries: readonly string[];
  readonly keywords: readonly string[];
  readonly persons: readonly string[];
  readonly entities: readonly string[];
  readonly location: string | null;
  /** ISO 8601, inclusive start and exclusive end; null when the question names no time. */
  readonly timeRange: { readonly after: string | null; readonly before: string | null } | null;
  readonly questionType: QuestionType;
  /** 0 (a single lookup) to 1 (several facts to join). */
  readonly complexity: number;
  /** How many hits are kept, 3 to 20. */
  readonly depth: number;
  readonly source: "rules" | "model";
}

/** One thing that was found. */
export interface Hit {
  readonly id: string;
  readonly kind: "entry" | "turn" | "fact";
  readonly text: string;
  /** 0 to 1, higher is better, monotone in the ranking. */
  readonly score: number;
  readonly views: readonly View[];
  /** Ids of the turns that prove it, as given to `add`. */
  readonly sourceIds: readonly string[];
  /** When it happened, else when it was said; ISO 8601 in UTC. */
  readonly timestamp: string | null;
  readonly persons: readonly string[];
  readonly speaker: string | null;
  readonly sessionId: string;
  /** What each feature of the ranking added to the sum behind the score; see docs/retrieval.md. */
  readonly features?: { readonly [feature: string]: number };
  readonly entry?: MemoryEntry;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  readonly plan: Plan;
  /** Rounds of retrieval: 1 plus the reflection rounds. */
  readonly rounds: number;
  /** Present when a leg was left out, with the reason: "embedder timed out". */
  readonly degraded?: string;
  readonly usage: Usage;
}

export interface Answer {
  /** The answer in the question's language, or "" when abstained. */
  readonly answer: string;
  readonly abstained: boolean;
  readonly reason?: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly citations: readonly { readonly id: string; readonly sourceIds: readonly string[] }[];
  /** What was found, best first; after an abstention the nearest misses. */
  readonly hits: readonly Hit[];
  /** Present when a leg was left out or the model failed, with the reason. */
  readonly degraded?: string;
  readonly usage: Usage;
}

/** Counts of turns. */
export interface AddReceipt {
  readonly accepted: number;
  readonly duplicates: number;
  /** Turns whose id was forgotten for good. */
  readonly refused: number;
  /** Turns of the scope that wait for extraction, after this call. */
  readonly pending: number;
}

/** An extracted item that was not stored, and why. */
export interface Rejection {
  readonly reason: string;
  /** The text that was refused, shortened; absent when there was none. */
  readonly text?: string;
  readonly windowId?: string;
}

export interface WriteFailure {
  readonly windowId: string;
  readonly sessionId: string;
  readonly stage: "extract" | "consolidate" | "store";
  readonly error: string;
  readonly attempts: number;
  /** True after the last try: only `flush({ retryFailed: true })` takes the window up again. */
  readonly final: boolean;
}

export interface WriteReport {
  readonly windows: { readonly stored: number; readonly failed: number; readonly pending: number };
  readonly entries: {
    readonly added: number;
    readonly merged: number;
    readonly superseded: number;
    readonly skipped: number;
    readonly conflicted: number;
    readonly rejected: number;
  };
  readonly failures: readonly WriteFailure[];
  readonly rejections: readonly Rejection[];
  /** What the extractor could not find out: a task without a date, a person without a name. */
  readonly openQuestions: readonly string[];
  /** Share (0 to 1) of numbers, dates, names and negations of the kept turns that are found in the entries. */
  readonly fidelity: number;
  /** Tokens of the entries over tokens of the turns. */
  readonly compression: number;
  readonly usage: Usage;
}

export interface ForgetReceipt {
  readonly removed: {
    readonly entries: number;
    readonly turns: number;
    readonly facts: number;
    readonly windows: number;
  };
  readonly purged: boolean;
  /** True when, after the call, nothing of what was named can be read (and, purged, no old version is left). */
  readonly verified: boolean;
}

export interface Stats {
  readonly turns: number;
  readonly entries: { readonly [status in EntryStatus]?: number };
  readonly facts: number;
  readonly windows: { readonly pending: number; readonly failed: number; readonly stored: number };
  /** Turns that wait for extraction. */
  readonly pendingTurns: number;
  /** Size of the store's folder; 0 for stores that are not a local folder. */
  readonly bytes: number;
  /** Mean milliseconds per operation of this process. */
  readonly latency: { readonly [operation: string]: number };
  /** What this process has spent since `open`. */
  readonly totals: Usage;
  /** As in `WriteReport`, over all windows that this process has stored; 1 and 0 before the first. */
  readonly fidelity: number;
  readonly compression: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Pass it to the next call; absent on the last page. */
  readonly cursor?: string;
}
