import type { EntryKind, EntryStatus, MemoryEntry, Trust } from "./entry.js";
import type { Scope } from "./scope.js";
import type { Metadata } from "./turn.js";
import type { Usage } from "./usage.js";

/** A way to find something: by its vector, its words, its times, places and people, or in the turns themselves. */
export type View = "semantic" | "lexical" | "symbolic" | "episodic";
/** All views. */
export const VIEWS = ["semantic", "lexical", "symbolic", "episodic"] as const satisfies View[];

/** What a read may be narrowed to. Every given part must hold; a list holds when one of its values does. */
export interface MemoryFilter {
  /** The session in which it was said. */
  readonly sessionId?: string;
  /** Names of people, one of whom it is about. */
  readonly persons?: readonly string[];
  /** Names of things, one of which it is about. */
  readonly entities?: readonly string[];
  /** The place where it happens. */
  readonly location?: string;
  /** One kind of entry, or several. */
  readonly kind?: EntryKind | readonly EntryKind[];
  /** One status, or several. Absent: those that a read gives. */
  readonly status?: EntryStatus | readonly EntryStatus[];
  /** Inclusive lower bound, ISO 8601. Judged by `timestamp`, else by `mentionedAt`. */
  readonly after?: string;
  /** Exclusive upper bound, ISO 8601; a bare date such as "2025-01-31" includes that whole day. */
  readonly before?: string;
  /**
   * Entries that were true at this time, ISO 8601, as is known now: their `validFrom` to `validTo` holds it. Raw turns say nothing
   * of that, and are left out. What has been superseded since is found, too, unless `status` is given.
   */
  readonly validAt?: string;
  /** What it is about. */
  readonly topic?: string;
  /** Who said it. */
  readonly speaker?: string;
  /** Keys of the `metadata` of a turn, or of an entry, that must equal these values exactly. */
  readonly metadata?: Metadata;
  /** One source of the words, or several. A turn of the role `system` counts as a tool's. */
  readonly trust?: Trust | readonly Trust[];
  /** Whether an entry is pinned. A turn never is. */
  readonly pinned?: boolean;
}

/** What a question asks for. */
export type QuestionType = "when" | "who" | "where" | "what" | "count" | "yes_no" | "list" | "reason" | "open";

/** What a question asks for and how deep to look. Plain JSON. */
export interface Plan {
  /** The question as it was asked. */
  readonly question: string;
  /** At most 4; the question itself is always the first. */
  readonly queries: readonly string[];
  /** Words to search for. */
  readonly keywords: readonly string[];
  /** People that the question names. */
  readonly persons: readonly string[];
  /** Things that the question names. */
  readonly entities: readonly string[];
  /** The place that the question names; null when it names none. */
  readonly location: string | null;
  /** ISO 8601, inclusive start and exclusive end; null when the question names no time. */
  readonly timeRange: { readonly after: string | null; readonly before: string | null } | null;
  /**
   * Where in the order of events the question looks: at the `latest` of what fits, at what came `afterwards`, or at how it came out
   * (`outcome`). Absent when it does not say.
   */
  readonly sequence?: "latest" | "afterwards" | "outcome";
  /** What the question asks for. */
  readonly questionType: QuestionType;
  /** 0 (a single lookup) to 1 (several facts to join). */
  readonly complexity: number;
  /** How many hits are kept, 3 to 20. */
  readonly depth: number;
  /** Who made the plan. */
  readonly source: "rules" | "model";
}

/** One thing that was found. */
export interface Hit {
  /** Id of the entry or turn, which `forget` takes; for a fact "fact:", its session and its key. */
  readonly id: string;
  /** A fact made of turns, a raw turn, or an exact key-value. */
  readonly kind: "entry" | "turn" | "fact";
  /** What a reader needs of it. */
  readonly text: string;
  /** 0 to 1, higher is better, monotone in the ranking. */
  readonly score: number;
  /** Which views found it. */
  readonly views: readonly View[];
  /** Ids of the turns that prove it, as given to `add`. */
  readonly sourceIds: readonly string[];
  /** When it happened, else when it was said; ISO 8601 in UTC. */
  readonly timestamp: string | null;
  /** People that it is about. */
  readonly persons: readonly string[];
  /** Who said it; null for a fact. */
  readonly speaker: string | null;
  /** The session in which it was said. */
  readonly sessionId: string;
  /** What each feature of the ranking added to the sum behind the score; see docs/retrieval.md. */
  readonly features?: { readonly [feature: string]: number };
  /** The whole entry, for a hit of that kind. */
  readonly entry?: MemoryEntry;
}

/** What a search found. */
export interface SearchResult {
  /** Best first, unless an order was asked for. */
  readonly hits: readonly Hit[];
  /** What was looked for. */
  readonly plan: Plan;
  /** Rounds of retrieval: 1 plus the reflection rounds. */
  readonly rounds: number;
  /** Present when a leg was left out, with the reason: "embedder timed out". */
  readonly degraded?: string;
  /** What it cost. */
  readonly usage: Usage;
}

/** An answer from memory alone, with what proves it. */
export interface Answer {
  /** The answer in the question's language, or "" when abstained. */
  readonly answer: string;
  /** True: memory does not hold the answer. */
  readonly abstained: boolean;
  /** Why it was abstained. */
  readonly reason?: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The hits on which the answer stands, and the turns that prove them, as given to `add`. */
  readonly citations: readonly { readonly id: string; readonly sourceIds: readonly string[] }[];
  /** What was found, best first; after an abstention the nearest misses. */
  readonly hits: readonly Hit[];
  /** Present when a leg was left out or the model failed, with the reason. */
  readonly degraded?: string;
  /** What it cost. */
  readonly usage: Usage;
}

/** Counts of turns. */
export interface AddReceipt {
  /** New turns that are now in the log. */
  readonly accepted: number;
  /** Turns that the log had already. */
  readonly duplicates: number;
  /** Turns whose id was forgotten for good. */
  readonly refused: number;
  /** Turns of the scope that wait for extraction, after this call. */
  readonly pending: number;
}

/** An extracted item that was not stored, and why. */
export interface Rejection {
  /** Which check it did not pass. */
  readonly reason: string;
  /** The text that was refused, shortened; absent when there was none. */
  readonly text?: string;
  /** The window that it came from. */
  readonly windowId?: string;
}

/** A window that could not be processed. Its turns are kept. */
export interface WriteFailure {
  /** The window. */
  readonly windowId: string;
  /** The session of its turns. */
  readonly sessionId: string;
  /** The stage that failed. */
  readonly stage: "extract" | "consolidate" | "store";
  /** The error's name and message. */
  readonly error: string;
  /** Flushes that have tried it, this one included. */
  readonly attempts: number;
  /** True after the last try: only `flush({ retryFailed: true })` takes the window up again. */
  readonly final: boolean;
}

/** What a `flush` did, together with what ran in the background since the one before. */
export interface WriteReport {
  /** Windows that were stored, and those of the scope that failed for good or still wait. */
  readonly windows: { readonly stored: number; readonly failed: number; readonly pending: number };
  /** What became of the extracted items. */
  readonly entries: {
    /** Stored as new. */
    readonly added: number;
    /** Joined with a known entry, which now says more. */
    readonly merged: number;
    /** Newer or older words on what is known: one of the two is kept as history. */
    readonly superseded: number;
    /** Known already; the known entry got the new turns as proof. */
    readonly skipped: number;
    /** At odds with a known entry, and both are marked. */
    readonly conflicted: number;
    /** Did not pass a check; see `rejections`. */
    readonly rejected: number;
  };
  /** Windows that could not be processed; empty when all went well. */
  readonly failures: readonly WriteFailure[];
  /** Items that did not pass a check. */
  readonly rejections: readonly Rejection[];
  /** What the extractor could not find out: a task without a date, a person without a name. */
  readonly openQuestions: readonly string[];
  /** Share (0 to 1) of numbers, dates, names and negations of the kept turns that are found in the entries. */
  readonly fidelity: number;
  /** Tokens of the entries over tokens of the turns. */
  readonly compression: number;
  /** What it cost. */
  readonly usage: Usage;
}

/** One question that was asked after a `forget`. */
export interface ForgetCheck {
  /** Of what nothing may be left; "tombstones": removed ids that could be added again; "provenance": entries that name a removed turn. */
  readonly what:
    | "entries"
    | "provenance"
    | "turns"
    | "pieces of turns"
    | "inbox"
    | "ledger"
    | "facts"
    | "tombstones"
    | "files";
  /** "rows": the tables were asked. "files": the files of every table were listed before and after they were rewritten. */
  readonly means: "rows" | "files";
  /** How many are left; 0 passes. */
  readonly left: number;
}

/** What a purge did to one table. */
export interface PurgedTable {
  /** Its name. */
  readonly table: string;
  /** Former versions that were dropped. */
  readonly versionsRemoved: number;
  /** Files before; null where the store is no local folder. */
  readonly filesBefore: number | null;
  /** Files from before that are still there: 0, or null where the store is no local folder. */
  readonly filesKept: number | null;
}

/** What a `forget` removed, or with `dryRun` would remove. Plain JSON, without any text or id of what was removed. */
export interface ForgetReceipt {
  /** How many of each. */
  readonly removed: {
    readonly entries: number;
    readonly turns: number;
    readonly facts: number;
    readonly windows: number;
  };
  /** True when the bytes are gone from every file too. */
  readonly purged: boolean;
  /** True when, after the call, nothing of what was named can be read (and, purged, no old version is left). */
  readonly verified: boolean;
  /** Names this receipt; absent after a dry run, as is all that follows. */
  readonly id?: string;
  /** When it was done, ISO 8601 in UTC. */
  readonly at?: string;
  /** Whose memory it was. */
  readonly scope?: Scope;
  /** What was asked afterwards, and the answers. `verified` is true when each has nothing left. */
  readonly checks?: readonly ForgetCheck[];
  /** What the purge did to each table. */
  readonly tables?: readonly PurgedTable[];
  /** Size of the folder before and after the purge; 0 where the store is no local folder. */
  readonly bytes?: { readonly before: number; readonly after: number };
  /** Ids that were named, but belong to what all agents of the user share: they were not removed, and `verified` is false. */
  readonly outside?: readonly string[];
  /** Proves that this store issued the receipt as it is; `checkReceipt` of the engine compares it. */
  readonly signature?: string;
  /** After `{ query, dryRun: true }`: what may be meant, best first. Pass the ids of what is to go. */
  readonly candidates?: readonly ForgetCandidate[];
}

/** Something that a query may mean, to be forgotten by its id. */
export interface ForgetCandidate {
  /** What `forget({ ids })` takes. */
  readonly id: string;
  /** A fact made of turns, a raw turn, or an exact key-value. */
  readonly kind: Hit["kind"];
  /** What it says. */
  readonly text: string;
  /** 0 to 1, higher is more likely meant. */
  readonly score: number;
  /** The session in which it was said. */
  readonly sessionId: string;
  /** When it happened, else when it was said; ISO 8601 in UTC. */
  readonly timestamp: string | null;
  /** What has become of an entry; null for turns and key-values. */
  readonly status: EntryStatus | null;
  /** The turns that prove it, as given to `add`. */
  readonly sourceIds: readonly string[];
}

/** Counts of one scope, or of the whole store, and what this process has spent. */
export interface Stats {
  /** Turns in the log. */
  readonly turns: number;
  /** Entries by status; a status without entries is left out. */
  readonly entries: { readonly [status in EntryStatus]?: number };
  /** Key-values of all sessions. */
  readonly facts: number;
  /** Windows by how far they have come. */
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
  /** Tokens of the entries over tokens of the turns. */
  readonly compression: number;
}

/** One page of a list. */
export interface Page<T> {
  /** In the order of the list. */
  readonly items: readonly T[];
  /** Pass it to the next call; absent on the last page. */
  readonly cursor?: string;
}
