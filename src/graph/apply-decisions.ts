import { type MemoryEntry, reviewReasons } from "../records/index.js";
import type { Decision } from "../stages/consolidate/consolidator.js";
import type { EntryRow } from "../store/index.js";
import { type ApplyInput, type Arrival, arrivalOf } from "./arrival.js";
import { changed } from "./changed-row.js";
import { RowSet } from "./row-set.js";
import { endOf, later, renewedExpiry, since } from "./validity.js";

/** Counts for the write report. */
export interface AppliedCounts {
  added: number;
  merged: number;
  superseded: number;
  skipped: number;
  conflicted: number;
}

function union(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])];
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

/** Of older words that come later, the place among what was known before: A, B and C may be told as A, C and B, or as C, B and A. */
function fileUnder(rows: RowSet, target: EntryRow, arrival: Arrival): void {
  const { own, cause } = arrival;
  const known = [target, ...replacedBy(rows, target)];
  const next = soonestAfter(own, known) ?? target;
  const former = known.filter(
    ({ entry }) => entry.supersededBy === next.entry.entryId && since(entry) < since(own.entry),
  );
  // It was believed until what replaces it was said.
  rows.set(
    changed(
      own,
      {
        status: "superseded",
        supersededBy: next.entry.entryId,
        validTo: endOf(own.entry, next.entry),
        supersedes: former.map(({ entry }) => entry.entryId),
      },
      {
        ...cause,
        op: "superseded",
        saidAt: later(own.entry.mentionedAt, next.entry.mentionedAt),
        related: [next.entry.entryId],
        reason: "newer words were known already",
      },
    ),
  );
  rows.set(
    changed(
      next,
      { supersedes: union(next.entry.supersedes, [own.entry.entryId]) },
      { ...cause, op: "superseding", reason: "older words came later" },
    ),
  );
  for (const row of former) {
    const change = { supersededBy: own.entry.entryId, validTo: endOf(row.entry, own.entry) };
    rows.set(changed(row, change, { ...cause, op: "superseded", reason: "what came between was told later" }));
  }
}

/** What a row replaced, and what that had replaced. */
function replacedBy(rows: RowSet, { entry }: EntryRow): EntryRow[] {
  const found = new Map<string, EntryRow>();
  for (let open = [...entry.supersedes]; open.length > 0; ) {
    const next = open.flatMap((id) => (found.has(id) ? [] : (rows.any(id) ?? [])));
    for (const row of next) found.set(row.entry.entryId, row);
    open = next.flatMap((row) => row.entry.supersedes);
  }
  return [...found.values()];
}

function soonestAfter({ entry }: EntryRow, rows: readonly EntryRow[]): EntryRow | undefined {
  const after = rows.filter((row) => since(row.entry) > since(entry));
  return after.sort((left, right) => (since(left.entry) < since(right.entry) ? -1 : 1))[0];
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

/** The plan was carried out: it is no news any more, and what came of it is. */
function carriedOut(rows: RowSet, target: EntryRow, arrival: Arrival): void {
  const { own, cause } = arrival;
  rows.set(arriving(arrival, {}, [target.entry.entryId]));
  rows.set(
    changed(
      target,
      { status: "done", validTo: endOf(target.entry, own.entry) },
      { ...cause, op: "done", reason: "it was carried out" },
    ),
  );
}

const COUNTED = {
  add: "added",
  skip: "skipped",
  merge: "merged",
  supersede: "superseded",
  superseded_by: "superseded",
  done: "added",
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
    case "done":
      carriedOut(rows, target, arrival);
      break;
    case "conflict":
      conflict(rows, target, arrival);
      break;
  }
  return counted;
}

/**
 * Carries out the decisions of one call. Nothing is deleted: what is retired stays as history. A decision whose target is
 * not known becomes an addition.
 */
export function applyDecisions(input: ApplyInput): { rows: EntryRow[]; counts: AppliedCounts } {
  const rows = new RowSet(input.known);
  const counts: AppliedCounts = { added: 0, merged: 0, superseded: 0, skipped: 0, conflicted: 0 };
  for (const [index, one] of input.items.entries()) counts[applyOne(rows, arrivalOf(one, index, input), input)] += 1;
  return { rows: rows.touched(), counts };
}
