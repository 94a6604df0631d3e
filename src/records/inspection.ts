import type { MemoryEntry, WindowRecord } from "./entry.js";
import type { MemoryFilter } from "./results.js";
import type { DialogueTurn } from "./turn.js";

/** How far a turn has come: it waits to be rewritten, nobody could rewrite it, or it was read. */
export type TurnProgress = "waiting" | "failed" | "read";

/** One turn of the log, and the facts it became. Plain JSON. */
export interface LoggedTurn {
  /** What was said. */
  readonly turn: DialogueTurn;
  /** How far it has come. A turn that was read may have become nothing: small talk does. */
  readonly progress: TurnProgress;
  /** The entries of which it is a source, in every status, in the order of creation. */
  readonly entries: readonly MemoryEntry[];
}

/** Options of `log`. */
export interface LogOptions {
  /** Narrows the turns: `sessionId`, `speaker`, `after`, `before`, `metadata`, `trust`. Default: all sessions of the user. */
  readonly filter?: Pick<MemoryFilter, "sessionId" | "speaker" | "after" | "before" | "metadata" | "trust">;
  /** Default "oldest": what was said first comes first. */
  readonly order?: "oldest" | "newest";
  /** Turns of a page, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly cursor?: string;
}

/** What came in on one day of the conversation, by when it was said. Plain JSON. */
export interface GrowthDay {
  /** The day in UTC, such as "2025-03-01". */
  readonly day: string;
  /** Turns that were said. */
  readonly turns: number;
  /** Their tokens, by the engine's count: what a prompt with the whole history would carry. */
  readonly turnTokens: number;
  /** Entries made of them, in every status. */
  readonly entries: number;
  /** Those that a read gives now: not superseded, done, archived, or waiting for a review. */
  readonly currentEntries: number;
  /** Tokens of these: what is kept of what was said. */
  readonly currentTokens: number;
}

/** A window that is not stored yet, without the words of its turns. Plain JSON. */
export type OpenWindow = Pick<
  WindowRecord,
  "windowId" | "sessionId" | "turnIds" | "state" | "attempts" | "lastError" | "createdAt" | "updatedAt"
>;

/** How well the indexes of one table keep up. Plain JSON. */
export interface TableHealth {
  /** The table's name. */
  readonly table: string;
  /** Its rows, of all users. */
  readonly rows: number;
  /** Its full-text and vector indexes. */
  readonly indexes: number;
  /** Rows that some of these do not cover yet: they are found as well, more slowly. `maintain` folds them in. */
  readonly unindexedRows: number;
}

/** What waits, what failed, and whether searches see everything quickly. Plain JSON, without any text of a turn. */
export interface Health {
  /** Turns that wait to be rewritten into facts. */
  readonly pendingTurns: number;
  /** Turns that wait to be indexed for the episodic layer; a search indexes them first. */
  readonly unindexedTurns: number;
  /** Windows that are not stored, oldest first: those that wait, and those that failed. 100 at most. */
  readonly windows: readonly OpenWindow[];
  /** Length of the vectors; null while there are none. */
  readonly dimension: number | null;
  /** The embedder that made them; null while there are none. */
  readonly embedder: string | null;
  /** Whether the engine's embedder can search them; false calls for `reembed`. */
  readonly isComparable: boolean;
  /** The tables that are searched. */
  readonly tables: readonly TableHealth[];
}

/** What models cost on one day, for reading, writing and maintaining. Plain JSON. */
export interface CostDay {
  /** The day in UTC on which they were called, by the clock. */
  readonly day: string;
  /** Calls of chat models. */
  readonly modelCalls: number;
  /** Tokens that they read. */
  readonly promptTokens: number;
  /** Tokens that they wrote. */
  readonly completionTokens: number;
}

/** How a memory grew. Plain JSON. */
export interface Growth {
  /** Days on which something was said, oldest first. */
  readonly days: readonly GrowthDay[];
  /** Days on which models were called, oldest first; empty when none ever was. The last 1,000 are told apart. */
  readonly costs: readonly CostDay[];
}
