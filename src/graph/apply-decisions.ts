import {
  type ChangeAuthor,
  type ChangeCause,
  type ExtractedItem,
  firstChange,
  type MemoryEntry,
  type Metadata,
  type ReviewRule,
  reviewReasons,
  withChange,
} from "../records/index.js";
import type { ConsolidationItem, Decision } from "../stages/consolidate/consolidator.js";
import type { EntryRow } from "../store/index.js";
import { freshEntry, type KeptDays, lexicalColumns } from "./fresh-entry.js";

/** Counts for the write report. */
export interface AppliedCounts {
  added: number;
  merged: number;
  superseded: number;
  skipped: number;
  conflicted: number;
}

export interface ApplyInput {
  readonly items: readonly ConsolidationItem[];
  readonly decisions: readonly Decision[];
  /** One vector per item. */
  readonly vectors: readonly (readonly number[])[];
  /** Words around each item's source turns. */
  readonly contextWords: readonly string[];
  /** Metadata of each item's source turns. */
  readonly metadata: readonly Metadata[];
  /**
   * The known rows that decisions may name: of exactly this agent. What all agents share is not changed by one of them. On a
   * replay also the window's own rows, which stay as they are.
   */
  readonly known: readonly EntryRow[];
  /** Ids of entries that all agents share and that decisions of an agent name: what says the same is known to the agent already. */
  readonly shared: ReadonlySet<string>;
  /** Vectors of merged texts that are neither the item's nor the known entry's own. */
  readonly mergedVectors: { readonly [text: string]: readonly number[] };
  /** Session of each item's window. */
  readonly sessionIds: readonly string[];
  readonly now: string;
  readonly embeddingModel: string;
  /** Who made the items of the turns. */
  readonly extractedBy: ChangeAuthor;
  /** Who made each decision. */
  readonly decidedBy: readonly ChangeAuthor[];
  /** Which new entries are held back until they are approved. */
  readonly review: ReviewRule;
  /** After how many days new entries of a kind expire. Default: none does. */
  readonly expireAfterDays?: KeptDays;
}

/** One item on its way into the rows. */
interface Arrival {
  readonly item: ExtractedItem;
  /** The row that it becomes when it is new. */
  readonly own: EntryRow;
  readonly decision: Decision;
  /** What a decision about a known entry notes in its history. */
  readonly cause: Omit<ChangeCause, "op" | "reason">;
  readonly metadata: Metadata;
}

function union(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])];
}

function changed(row: EntryRow, change: Partial<MemoryEntry>, cause: ChangeCause): EntryRow {
  const entry = { ...row.entry, ...change, updatedAt: cause.at };
  return { ...row, entry, ...lexicalColumns(entry), changes: withChange(row.changes, row.entry, entry, cause) };
}

function later(left: string, right: string): string {
  return left > right ? left : right;
}

/** Words that expire last as long as if they had been said now for the first time; what has expired is said anew. */
function renewedExpiry({ expiresAt }: MemoryEntry, said: MemoryEntry): string | null {
  if (expiresAt === null) return null;
  if (said.expiresAt !== null) return later(expiresAt, said.expiresAt);
  return said.mentionedAt >= expiresAt ? null : expiresAt;
}

/** What a known entry gains from an item that says the same, or more. */
function gains({ entry }: EntryRow, { item, own, metadata }: Arrival): Partial<MemoryEntry> {
  const dates = entry.timestamp === null && entry.validFrom === entry.mentionedAt;
  return {
    validFrom: dates ? (item.timestamp ?? entry.validFrom) : entry.validFrom,
    expiresAt: renewedExpiry(entry, own.entry),
    sourceIds: union(entry.sourceIds, item.sourceIds),
    keywords: union(entry.keywords, item.keywords),
    persons: union(entry.persons, item.persons),
    entities: union(entry.entities, item.entities),
    attributes: { ...item.attributes, ...entry.attributes },
    metadata: { ...metadata, ...entry.metadata },
    location: entry.location ?? item.location,
    topic: entry.topic ?? item.topic,
    timestamp: entry.timestamp ?? item.timestamp,
    timestampEnd: entry.timestampEnd ?? item.timestampEnd,
    importance: Math.max(entry.importance, item.importance),
  };
}

/** The rows to be written after the decisions: new ones and changed ones, for one atomic upsert. */
class RowSet {
  readonly #rows = new Map<string, EntryRow>();
  /** Which row took an item that is none of its own. */
  readonly #takers = new Map<string, string>();
  readonly #stored: ReadonlySet<string>;
  readonly #touched = new Set<string>();

  constructor(known: readonly EntryRow[]) {
    for (const row of known) this.#rows.set(row.entry.entryId, row);
    this.#stored = new Set(this.#rows.keys());
  }

  /** Whether the row was there before the decisions were applied. */
  wasStored({ entry }: EntryRow): boolean {
    return this.#stored.has(entry.entryId);
  }

  /** The row of this id, or the one that took its item; none when that became history meanwhile. */
  current(id: string): EntryRow | undefined {
    const row = this.#rows.get(this.#takers.get(id) ?? id);
    return row?.entry.status === "superseded" ? undefined : row;
  }

  /** Notes that an item became part of a row: who names the item means that row. */
  took(row: EntryRow, { own }: Arrival): void {
    this.#takers.set(own.entry.entryId, row.entry.entryId);
    this.set(row);
  }

  set(row: EntryRow): void {
    this.#rows.set(row.entry.entryId, row);
    this.#touched.add(row.entry.entryId);
  }

  touched(): EntryRow[] {
    return [...this.#touched].flatMap((id) => this.#rows.get(id) ?? []);
  }
}

/** When a fact holds from: when it happened, else when it was said. */
function since(entry: MemoryEntry): string {
  return entry.timestamp ?? entry.mentionedAt;
}

/**
 * Until when a statement held that another replaced: what was still ahead when the other was said never came true, so that it
 * ends where it would have begun.
 */
function endOf(replaced: MemoryEntry, by: MemoryEntry): string {
  const begins = replaced.validFrom ?? since(replaced);
  return begins > by.mentionedAt ? begins : later(begins, since(by));
}

/** A new row in another state than active. Its history begins with it. */
function arriving({ own }: Arrival, change: Partial<MemoryEntry>, related: readonly string[] = []): EntryRow {
  return {
    ...own,
    entry: { ...own.entry, ...change },
    changes: own.changes.map((one) => ({ ...one, related })),
  };
}

function merged(target: EntryRow, arrival: Arrival, text: string, input: ApplyInput): EntryRow {
  const { item, own, cause } = arrival;
  const vector = text === item.losslessRestatement ? own.vector : input.mergedVectors[text];
  // Without a vector the text is the known entry's own, and stays.
  const words = vector === undefined ? {} : { losslessRestatement: text };
  const row = changed(
    target,
    { ...gains(target, arrival), ...words },
    { ...cause, op: "merged", reason: "more was said of it" },
  );
  return vector === undefined ? row : { ...row, vector };
}

function supersede(rows: RowSet, target: EntryRow, arrival: Arrival): void {
  const { own, cause } = arrival;
  rows.set(arriving(arrival, { supersedes: [target.entry.entryId] }, [target.entry.entryId]));
  rows.set(
    changed(
      target,
      { status: "superseded", supersededBy: own.entry.entryId, validTo: endOf(target.entry, own.entry) },
      { ...cause, op: "superseded", reason: "newer words took its place" },
    ),
  );
}

function fileUnder(rows: RowSet, target: EntryRow, arrival: Arrival): void {
  const { entryId } = target.entry;
  const { own, cause } = arrival;
  // It was believed until what replaces it was said.
  rows.set(
    changed(
      own,
      { status: "superseded", supersededBy: entryId, validTo: endOf(own.entry, target.entry) },
      {
        ...cause,
        op: "superseded",
        saidAt: later(own.entry.mentionedAt, target.entry.mentionedAt),
        related: [entryId],
        reason: "newer words were known already",
      },
    ),
  );
  rows.set(
    changed(
      target,
      { supersedes: union(target.entry.supersedes, [own.entry.entryId]) },
      { ...cause, op: "superseding", reason: "older words came later" },
    ),
  );
}

function conflict(rows: RowSet, target: EntryRow, arrival: Arrival): void {
  const { own, cause } = arrival;
  rows.set(
    changed(
      own,
      { status: "conflicted" },
      {
        ...cause,
        op: "conflicted",
        related: [target.entry.entryId],
        reason: "contradicts another entry, and neither is newer",
      },
    ),
  );
  rows.set(
    changed(
      target,
      { status: "conflicted" },
      { ...cause, op: "conflicted", reason: "contradicted by another entry, and neither is newer" },
    ),
  );
}

const COUNTED = {
  add: "added",
  skip: "skipped",
  merge: "merged",
  supersede: "superseded",
  superseded_by: "superseded",
  conflict: "conflicted",
} as const satisfies { [op in Decision["op"]]: keyof AppliedCounts };

/** What is held back changes nothing that is known; what it would replace is noted for its approval. */
function hold(rows: RowSet, arrival: Arrival): keyof AppliedCounts {
  const { decision } = arrival;
  if (decision.op === "skip") return "skipped";
  const replaces = decision.op === "supersede" ? [decision.target] : [];
  rows.set(arriving(arrival, { status: "pending_review", supersedes: replaces }, replaces));
  return "added";
}

function applyOne(rows: RowSet, arrival: Arrival, input: ApplyInput): keyof AppliedCounts {
  const { own, decision, cause } = arrival;
  const counted = COUNTED[decision.op];
  // A replay: what was done with it meanwhile stays.
  if (rows.wasStored(own)) return counted;
  const isHeld = input.review.hold && reviewReasons(own.entry, input.review).length > 0;
  const target = decision.op === "add" ? undefined : rows.current(decision.target);
  if (isHeld && decision.op !== "superseded_by") return hold(rows, arrival);
  if (decision.op === "skip" && target === undefined && input.shared.has(decision.target)) return counted;
  if (decision.op === "add" || target === undefined) {
    rows.set(own);
    return "added";
  }
  switch (decision.op) {
    case "skip":
      rows.took(
        changed(target, gains(target, arrival), { ...cause, op: "joined", reason: "the same was said again" }),
        arrival,
      );
      break;
    case "merge":
      rows.took(merged(target, arrival, decision.text, input), arrival);
      break;
    case "supersede":
      supersede(rows, target, arrival);
      break;
    case "superseded_by":
      fileUnder(rows, target, arrival);
      break;
    case "conflict":
      conflict(rows, target, arrival);
      break;
  }
  return counted;
}

function arrivalOf({ entryId, item }: ConsolidationItem, index: number, input: ApplyInput): Arrival {
  const metadata = input.metadata[index] ?? {};
  const entry = freshEntry(entryId, item, { ...input, sessionId: input.sessionIds[index] ?? "", metadata });
  const { doubt } = item.attributes;
  const made = { at: input.now, turnIds: item.sourceIds, saidAt: item.mentionedAt };
  const origin: ChangeCause = {
    ...made,
    op: "extracted",
    by: input.extractedBy,
    reason: doubt === undefined ? null : `kept with a doubt: ${doubt}`,
    related: [],
  };
  const own: EntryRow = {
    entry,
    vector: input.vectors[index] ?? [],
    contextWords: input.contextWords[index] ?? "",
    ...lexicalColumns(entry),
    changes: [firstChange(origin)],
  };
  return {
    item,
    own,
    decision: input.decisions[index] ?? { op: "add" },
    cause: { ...made, by: input.decidedBy[index] ?? "stage", related: [entryId] },
    metadata,
  };
}

/**
 * Carries out the decisions of one call. Nothing is deleted: what is retired stays as history. A decision whose target is
 * not known becomes an addition.
 */
export function applyDecisions(input: ApplyInput): { rows: EntryRow[]; counts: AppliedCounts } {
  const rows = new RowSet(input.known);
  const counts: AppliedCounts = { added: 0, merged: 0, superseded: 0, skipped: 0, conflicted: 0 };
  input.items.forEach((one, index) => {
    counts[applyOne(rows, arrivalOf(one, index, input), input)] += 1;
  });
  return { rows: rows.touched(), counts };
}
