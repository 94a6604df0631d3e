import type { Metadata, Role } from "./turn.js";

export type EntryKind = "fact" | "preference" | "event" | "plan" | "decision" | "pattern";
export const ENTRY_KINDS = [
  "fact",
  "preference",
  "event",
  "plan",
  "decision",
  "pattern",
] as const satisfies EntryKind[];

export type EntryStatus = "active" | "done" | "superseded" | "conflicted" | "doubtful" | "pending_review" | "archived";

/** Where the words came from: how far a statement may be believed. */
export type Trust = "user" | "assistant" | "tool" | "import";

/**
 * What an extractor hands on: one fact that stands alone, before it has been compared with what is known.
 * All times are ISO 8601 in UTC; a date without a time of day is midnight of the speaker's zone as an instant.
 */
export interface ExtractedItem {
  /** Semantic view: the fact in words that need no context (no pronoun, no relative time). */
  readonly losslessRestatement: string;
  /** Lexical view. */
  readonly keywords: readonly string[];
  /** Symbolic view: when it happens or happened; null when the words say no time. */
  readonly timestamp: string | null;
  /** End of the event's time range, exclusive; null for a point in time. */
  readonly timestampEnd: string | null;
  /** When it was said. */
  readonly mentionedAt: string;
  readonly location: string | null;
  readonly persons: readonly string[];
  readonly entities: readonly string[];
  readonly topic: string | null;
  /** Named details such as `deadline`, `recipient`, `amount`. */
  readonly attributes: { readonly [name: string]: string };
  readonly kind: EntryKind;
  readonly speaker: string;
  readonly sourceRole: Role;
  /** Ids of the turns that prove it, as given to `add`. Never empty. */
  readonly sourceIds: readonly string[];
  /** 0 to 1: how sure the extractor is that the restatement says what the turn said. */
  readonly confidence: number;
  /** 0 to 1: how much a later reader would miss it. */
  readonly importance: number;
}

/** One stored fact. Plain JSON. */
export interface MemoryEntry extends ExtractedItem {
  /** Hash of windowId and ordinal, so that a replayed window stores the same rows. */
  readonly entryId: string;
  readonly sessionId: string;
  readonly trust: Trust;
  readonly status: EntryStatus;
  readonly pinned: boolean;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly expiresAt: string | null;
  readonly supersedes: readonly string[];
  readonly supersededBy: string | null;
  readonly derivedFrom: readonly string[];
  readonly accessCount: number;
  readonly lastAccessedAt: string | null;
  readonly metadata: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Name of the embedder that made the stored vector. */
  readonly embeddingModel: string;
}

/** An explicit key-value. Unique per scope, session and key. */
export interface Fact {
  readonly key: string;
  readonly value: string;
  readonly category: string;
  readonly sessionId: string;
  readonly expiresAt: string | null;
  /** Former values, oldest first. */
  readonly history: readonly { readonly value: string; readonly until: string }[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type WindowState = "pending" | "claimed" | "extracted" | "stored" | "failed";

/** One row of the ledger: what became of a window of turns. */
export interface WindowRecord {
  readonly windowId: string;
  readonly sessionId: string;
  /** The agent that the window's turns were written for; null when shared. */
  readonly agentId: string | null;
  /** Ids of the new turns, in the order of speech. */
  readonly turnIds: readonly string[];
  /** Ids of the turns before them that serve as context only. */
  readonly contextIds: readonly string[];
  readonly state: WindowState;
  readonly owner: string | null;
  readonly leaseExpiresAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
  /** From `extracted` on: the accepted items, so that a replay stores the same rows. */
  readonly items: readonly ExtractedItem[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * The attribute that names the source which an entry only quotes, so that its other words can be understood. It is a source
 * all the same: who forgets that turn forgets the quote.
 */
export const QUOTED_TURN = "quoted_turn";

/** The sources that prove an entry: all but the one that it only quotes. */
export function provingSources({ sourceIds, attributes }: Pick<MemoryEntry, "sourceIds" | "attributes">): string[] {
  const [main, ...further] = sourceIds;
  return main === undefined ? [] : [main, ...further.filter((id) => id !== attributes[QUOTED_TURN])];
}
