import type { EntryKind, EntryStatus, MemoryEntry, Trust } from "./entry.js";
import type { Page } from "./results.js";
import type { DialogueTurn, Json } from "./turn.js";
import type { ChangeAuthor, EntryVersion } from "./versions.js";

/** What `update` changes of an entry; what is absent stays as it is. */
export interface EntryPatch {
  /** The statement, in words that need no context. Vector and index words are made anew from it. */
  readonly text?: string;
  /** When it happens or happened, ISO 8601; without an offset in the engine's `timeZone`. null: no time is known. */
  readonly timestamp?: string | null;
  /** End of that time, exclusive, ISO 8601; null: a point in time. */
  readonly timestampEnd?: string | null;
  /** Names of people that it is about, in place of the former list. */
  readonly persons?: readonly string[];
  /** Names of things that it is about, in place of the former list. */
  readonly entities?: readonly string[];
  /** Words to find it by, in place of the former list. */
  readonly keywords?: readonly string[];
  /** Where it happens; null: no place is known. */
  readonly location?: string | null;
  /** One or two words for what it is about; null: none. */
  readonly topic?: string | null;
  /** Named details to set; `undefined` removes one, and the others stay. */
  readonly attributes?: { readonly [name: string]: string | undefined };
  /** Keys to set; `undefined` removes one, and the others stay. */
  readonly metadata?: { readonly [key: string]: Json | undefined };
  /** What it is about. */
  readonly kind?: EntryKind;
  /** What has become of it. For an entry that was superseded: `restore`; for one that waits for a decision: `review`. */
  readonly status?: Extract<EntryStatus, "active" | "done" | "doubtful" | "archived">;
  /** Where the words came from. */
  readonly trust?: Trust;
  /** 0 to 1: how much a later reader would miss it. */
  readonly importance?: number;
  /** 0 to 1: how sure it is that the entry says what was said. */
  readonly confidence?: number;
  /** From when it has been true, ISO 8601; null: not known. */
  readonly validFrom?: string | null;
  /** Until when it was true, exclusive, ISO 8601; null: it still is. */
  readonly validTo?: string | null;
  /** After this it is not found, as if it were archived, ISO 8601; null: it stays. */
  readonly expiresAt?: string | null;
}

/** Options of `update` and `review.edit`. */
export interface UpdateOptions {
  /** Why, in a few words; stands in the history. */
  readonly reason?: string;
  /** The version that the change is meant for: when the entry has another by now, nothing is changed. Default: whichever it has. */
  readonly ifVersion?: number;
}

/** Options of `pin`, `unpin`, `review.approve` and `review.reject`. */
export interface ReasonOptions {
  /** Why, in a few words; stands in the history. */
  readonly reason?: string;
}

/** Options of `restore`. */
export interface RestoreOptions extends ReasonOptions {
  /** Also when a newer entry took its place: that one is then kept as history of this one. Default false. */
  readonly force?: boolean;
}

/** What a check of the words against the turns found. */
export interface GuardFinding {
  /** Which check: `ungrounded_number`, `ungrounded_name`, `lost_negation`, `bare_pronoun` and so on. */
  readonly code: string;
  /** The words in question. */
  readonly detail: string;
}

/** Why an entry says what it says. Plain JSON. */
export interface Explanation {
  /** The entry as it is. */
  readonly entry: MemoryEntry;
  /** The turns that prove it, in the order in which they arrived. */
  readonly sources: readonly DialogueTurn[];
  /** Ids of sources that the log no longer holds. */
  readonly missingSources: readonly string[];
  /** Who made it of the turns. */
  readonly extractedBy: ChangeAuthor;
  /** What the extractor's checks found, when it was kept nevertheless; null when all went well. */
  readonly doubt: string | null;
  /** The same checks today, of the present words against the turns of its windows; empty when the turns bear it out. */
  readonly guards: readonly GuardFinding[];
  /** What consolidation and corrections did to it, oldest first; `history` gives the same with the former contents. */
  readonly operations: readonly Omit<EntryVersion, "entry">[];
  /** Why it waits for a review; empty when it does not. */
  readonly review: readonly ReviewReason[];
}

/** Why an entry waits for a review. */
export type ReviewReason = "pending" | "conflicted" | "low_confidence" | "untrusted_source";

/** Which entries ask for a review, and whether they are held back until then. */
export interface ReviewRule {
  /** Entries below this confidence (0 to 1) ask for a review. */
  readonly belowConfidence: number;
  /** Entries from these sources ask for a review. */
  readonly untrusted: readonly Trust[];
  /** True: new entries that ask for a review are `pending_review`, and no read gives them before they are approved. */
  readonly hold: boolean;
}

/** The rule without options: doubted words, and what tools and imports say; nothing is held back. */
export const DEFAULT_REVIEW: ReviewRule = Object.freeze<ReviewRule>({
  belowConfidence: 0.6,
  untrusted: ["tool", "import"],
  hold: false,
});

/** One entry that waits for a review. */
export interface ReviewItem {
  /** The entry. */
  readonly entry: MemoryEntry;
  /** Why it is here. */
  readonly reasons: readonly ReviewReason[];
}

/** Options of `review.list`. */
export interface ReviewListOptions {
  /** Entries of a page, 1 or more. Default: everything in one page. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly cursor?: string;
}

/** Entries that a person should look at. Nothing but the entries themselves says which these are. */
export interface Review {
  /**
   * What waits, in the order of creation: entries that are `pending_review` or `conflicted`, and those `active` or `doubtful`
   * ones that are below `review.belowConfidence` or from a source among `review.untrusted` (options of `SimpleMem.open`).
   * @throws InvalidInputError for a wrong option, ClosedError
   * @example
   * for (const { entry, reasons } of (await memory.review.list()).items) console.log(entry.losslessRestatement, reasons);
   */
  list(options?: ReviewListOptions): Promise<Page<ReviewItem>>;
  /**
   * Makes it active, as sure as what the user says (`confidence` 1, `trust` "user"), so that it leaves the queue. What it was
   * to replace, and what contradicted it, becomes history of it.
   * @throws EntryNotFoundError for an unknown id
   * @throws InvalidInputError when it does not wait for a review
   * @throws EntryConflictError when another active entry says the same words
   * @example await memory.review.approve(id, { reason: "checked with Ilse" });
   */
  approve(id: string, options?: ReasonOptions): Promise<MemoryEntry>;
  /**
   * Puts it away (`archived`), as not true from now on. What it contradicted is active again when nothing else does. The turns
   * stay in the log; `forget` removes them.
   * @throws EntryNotFoundError for an unknown id
   * @throws InvalidInputError when it does not wait for a review
   * @example await memory.review.reject(id, { reason: "said by a web page" });
   */
  reject(id: string, options?: ReasonOptions): Promise<MemoryEntry>;
  /**
   * `update` and `approve` in one step.
   * @throws as these two; nothing is changed then
   * @example await memory.review.edit(id, { text: "Ilse lives in Graz." });
   */
  edit(id: string, patch: Omit<EntryPatch, "status">, options?: UpdateOptions): Promise<MemoryEntry>;
}

const SEEN: ReadonlySet<EntryStatus> = new Set(["active", "doubtful"]);

/** Why an entry asks for a review by this rule; empty when it does not. */
export function reviewReasons(
  { status, confidence, trust }: Pick<MemoryEntry, "status" | "confidence" | "trust">,
  rule: Omit<ReviewRule, "hold">,
): readonly ReviewReason[] {
  const isOpen = status === "pending_review" || status === "conflicted" || SEEN.has(status);
  if (!isOpen) return [];
  const reasons: ReviewReason[] = [];
  if (status === "pending_review") reasons.push("pending");
  if (status === "conflicted") reasons.push("conflicted");
  if (confidence < rule.belowConfidence) reasons.push("low_confidence");
  if (rule.untrusted.includes(trust)) reasons.push("untrusted_source");
  return reasons;
}
