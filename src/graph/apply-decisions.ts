import { indexWords } from "../language/index.js";
import type { ExtractedItem, MemoryEntry, Role, Trust } from "../records/index.js";
import type { ConsolidationItem, Decision } from "../stages/consolidate/consolidator.js";
import type { EntryRow } from "../store/index.js";

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
  /** The known rows that decisions may name: of exactly this agent. What all agents share is not changed by one of them. */
  readonly known: readonly EntryRow[];
  /** Vectors of merged texts that are neither the item's nor the known entry's own. */
  readonly mergedVectors: { readonly [text: string]: readonly number[] };
  readonly sessionId: string;
  readonly now: string;
  readonly embeddingModel: string;
}

const TRUST: { readonly [role in Role]: Trust } = {
  user: "user",
  assistant: "assistant",
  tool: "tool",
  system: "tool",
};

function union(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])];
}

/** The row that an item becomes when it is new. */
export function freshEntry(
  id: string,
  item: ExtractedItem,
  input: Pick<ApplyInput, "sessionId" | "now" | "embeddingModel">,
): MemoryEntry {
  return {
    ...item,
    entryId: id,
    sessionId: input.sessionId,
    trust: TRUST[item.sourceRole],
    status: "active",
    pinned: false,
    validFrom: item.timestamp ?? item.mentionedAt,
    validTo: null,
    expiresAt: null,
    supersedes: [],
    supersededBy: null,
    derivedFrom: [],
    accessCount: 0,
    lastAccessedAt: null,
    metadata: {},
    createdAt: input.now,
    updatedAt: input.now,
    embeddingModel: input.embeddingModel,
  };
}

/** The words of the lexical view, made from an entry. */
export function lexicalColumns(entry: MemoryEntry): Pick<EntryRow, "words" | "personWords" | "keywordWords"> {
  return {
    words: indexWords(entry.losslessRestatement),
    personWords: indexWords([...entry.persons, entry.speaker].join(" ")),
    keywordWords: indexWords([...entry.keywords, ...entry.entities, entry.topic ?? "", entry.location ?? ""].join(" ")),
  };
}

function changed(row: EntryRow, change: Partial<MemoryEntry>, input: ApplyInput): EntryRow {
  const entry = { ...row.entry, ...change, updatedAt: input.now };
  return { ...row, entry, ...lexicalColumns(entry) };
}

function joined(row: EntryRow, item: ExtractedItem, input: ApplyInput): EntryRow {
  const { entry } = row;
  return changed(
    row,
    {
      sourceIds: union(entry.sourceIds, item.sourceIds),
      keywords: union(entry.keywords, item.keywords),
      persons: union(entry.persons, item.persons),
      entities: union(entry.entities, item.entities),
      attributes: { ...item.attributes, ...entry.attributes },
      location: entry.location ?? item.location,
      topic: entry.topic ?? item.topic,
      timestamp: entry.timestamp ?? item.timestamp,
      timestampEnd: entry.timestampEnd ?? item.timestampEnd,
      importance: Math.max(entry.importance, item.importance),
    },
    input,
  );
}

/** The rows to be written after the decisions of one window: new ones and changed ones, for one atomic upsert. */
class RowSet {
  readonly #rows = new Map<string, EntryRow>();
  readonly #touched = new Set<string>();

  constructor(known: readonly EntryRow[]) {
    for (const row of known) this.#rows.set(row.entry.entryId, row);
  }

  get(id: string): EntryRow | undefined {
    return this.#rows.get(id);
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

function applyOne(
  rows: RowSet,
  own: EntryRow,
  decision: Decision,
  item: ExtractedItem,
  input: ApplyInput,
): keyof AppliedCounts {
  const target = decision.op === "add" ? undefined : rows.get(decision.target);
  if (decision.op === "add" || target === undefined) {
    rows.set(own);
    return "added";
  }
  switch (decision.op) {
    case "skip":
      rows.set(joined(target, item, input));
      return "skipped";
    case "merge": {
      const vector = decision.text === item.losslessRestatement ? own.vector : input.mergedVectors[decision.text];
      const row = joined(target, item, input);
      // Without a vector the text is the known entry's own, and stays.
      rows.set(vector === undefined ? row : { ...changed(row, { losslessRestatement: decision.text }, input), vector });
      return "merged";
    }
    case "supersede":
      rows.set(changed(own, { supersedes: [target.entry.entryId] }, input));
      rows.set(
        changed(target, { status: "superseded", supersededBy: own.entry.entryId, validTo: since(own.entry) }, input),
      );
      return "superseded";
    case "superseded_by":
      rows.set(
        changed(own, { status: "superseded", supersededBy: target.entry.entryId, validTo: since(target.entry) }, input),
      );
      rows.set(changed(target, { supersedes: union(target.entry.supersedes, [own.entry.entryId]) }, input));
      return "superseded";
    case "conflict":
      rows.set(changed(own, { status: "conflicted" }, input));
      rows.set(changed(target, { status: "conflicted" }, input));
      return "conflicted";
  }
}

/**
 * Carries out the decisions of one window. Nothing is deleted: what is retired stays as history. A decision whose target is
 * not known becomes an addition.
 */
export function applyDecisions(input: ApplyInput): { rows: EntryRow[]; counts: AppliedCounts } {
  const rows = new RowSet(input.known);
  const counts: AppliedCounts = { added: 0, merged: 0, superseded: 0, skipped: 0, conflicted: 0 };
  input.items.forEach(({ entryId, item }, index) => {
    const entry = freshEntry(entryId, item, input);
    const own: EntryRow = {
      entry,
      vector: input.vectors[index] ?? [],
      contextWords: input.contextWords[index] ?? "",
      ...lexicalColumns(entry),
    };
    counts[applyOne(rows, own, input.decisions[index] ?? { op: "add" }, item, input)] += 1;
  });
  return { rows: rows.touched(), counts };
}
