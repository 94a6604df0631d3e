import type { Metadata, Role } from "./turn.js";

/**
 * What an entry is about: a lasting fact, a liking, something that happened, an intention, something agreed, or a
 * pattern that several entries show.
 */
export type EntryKind = "fact" | "preference" | "event" | "plan" | "decision" | "pattern";
/** All kinds, for a schema or a prompt. */
export const ENTRY_KINDS = [
  "fact",
  "preference",
  "event",
  "plan",
  "decision",
  "pattern",
] as const satisfies EntryKind[];

/**
 * What has become of an entry. Reads give `active`, `conflicted` and `doubtful` ones unless they are asked for more:
 * `done` was carried out, `superseded` is history, `pending_review` waits for a decision, `archived` was put away.
 */
export type EntryStatus = "active" | "done" | "superseded" | "conflicted" | "doubtful" | "pending_review" | "archived";

/** All statuses, for a schema, and for what asks for entries whatever has become of them. */
export const ENTRY_STATUSES = [
  "active",
  "done",
  "superseded",
  "conflicted",
  "doubtful",
  "pending_review",
  "archived",
] as const satisfies EntryStatus[];

/** Statuses of what is held for true now. */
export const CURRENT_STATUSES = ["active", "conflicted", "doubtful"] as const satisfies EntryStatus[];

/** Where the words came from: how far a statement may be believed. */
export type Trust = "user" | "assistant" | "tool" | "import";

/** What a program writes into a conversation is no more to be believed than what a tool answers. */
export const TRUST_OF_ROLE: { readonly [role in Role]: Trust } = Object.freeze({
  user: "user",
  assistant: "assistant",
  tool: "tool",
  system: "tool",
});

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
  /** Where it happens; null when the words say no place. */
  readonly location: string | null;
  /** Names of people, as they were said. */
  readonly persons: readonly string[];
  /** Names of other things: companies, products, animals, works. */
  readonly entities: readonly string[];
  /** One or two words for what it is about; null when nothing stands out. */
  readonly topic: string | null;
  /** Named details such as `deadline`, `recipient`, `amount`. */
  readonly attributes: { readonly [name: string]: string };
  /** What it is about: a fact, a preference, an event, a plan, a decision, a pattern. */
  readonly kind: EntryKind;
  /** The name of who said it. */
  readonly speaker: string;
  /** The role of who said it. */
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
  /** The session in which it was said. */
  readonly sessionId: string;
  /** Where the words came from. */
  readonly trust: Trust;
  /** What has become of it. */
  readonly status: EntryStatus;
  /** True: not to be archived by itself; set by `pin`. */
  readonly pinned: boolean;
  /** From when it has been true, ISO 8601 in UTC; null when not known. */
  readonly validFrom: string | null;
  /** Until when it was true, exclusive, ISO 8601 in UTC; null while it is. */
  readonly validTo: string | null;
  /** From then on it is not found, as if it were archived, ISO 8601 in UTC; null: it stays. */
  readonly expiresAt: string | null;
  /** Ids of the entries whose place it took. */
  readonly supersedes: readonly string[];
  /** Id of the entry that took its place; null while none did. */
  readonly supersededBy: string | null;
  /** Ids of the entries that it sums up; empty for one that was made of turns. */
  readonly derivedFrom: readonly string[];
  /** How often a read found it near the top, or cited it; begins anew when it is archived. Written now and then. */
  readonly accessCount: number;
  /** When it was last found so, ISO 8601 in UTC; null: never. */
  readonly lastAccessedAt: string | null;
  /**
   * The metadata of the turns that prove it, joined key by key: where they differ, the turn that states it first counts, and
   * what an entry has stays when more is said of it. `update` changes it.
   */
  readonly metadata: Metadata;
  /** When it was stored first, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it was changed last, ISO 8601 in UTC. */
  readonly updatedAt: string;
  /** Name of the embedder that made the stored vector. */
  readonly embeddingModel: string;
}

/** An explicit key-value. Unique per scope, session and key. */
export interface Fact {
  /** Its name, such as "home.city": non-blank, compared exactly. */
  readonly key: string;
  /** Its present value. */
  readonly value: string;
  /** Groups facts; "general" unless one was given. */
  readonly category: string;
  /** The session that it belongs to. */
  readonly sessionId: string;
  /** After this it is not seen, ISO 8601 in UTC; null: never. */
  readonly expiresAt: string | null;
  /** Former values, oldest first. */
  readonly history: readonly { readonly value: string; readonly until: string }[];
  /** When the key was first remembered, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When the value was last set, ISO 8601 in UTC. */
  readonly updatedAt: string;
}

/** How far a window has come: cut, held by a process, extracted, stored, or given up after its last try. */
export type WindowState = "pending" | "claimed" | "extracted" | "stored" | "failed";

/** One row of the ledger: what became of a window of turns. */
export interface WindowRecord {
  /** Unique in the store. */
  readonly windowId: string;
  /** The session of its turns. */
  readonly sessionId: string;
  /** The agent that the window's turns were written for; null when shared. */
  readonly agentId: string | null;
  /** Ids of the new turns, in the order of speech. */
  readonly turnIds: readonly string[];
  /** Ids of the turns before them that serve as context only. */
  readonly contextIds: readonly string[];
  /** How far it has come. */
  readonly state: WindowState;
  /** The process that holds it; null when none does. */
  readonly owner: string | null;
  /** When another process may take it, milliseconds since the epoch. */
  readonly leaseExpiresAt: number;
  /** Flushes that have tried it. */
  readonly attempts: number;
  /** Why the last try failed; null when none did. */
  readonly lastError: string | null;
  /** From `extracted` on: the accepted items, so that a replay stores the same rows. */
  readonly items: readonly ExtractedItem[];
  /** When it was cut, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When its state changed last, ISO 8601 in UTC. */
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
