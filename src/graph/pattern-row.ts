import { type ChangeAuthor, firstChange, type MemoryEntry } from "../records/index.js";
import type { EntryRow, ExactScope } from "../store/index.js";
import { lexicalColumns } from "./fresh-entry.js";
import { patternIdOf } from "./ids.js";
import { maintainedRow } from "./maintained-row.js";

/** A text for the rows of a cluster, in the order of speech. */
export interface PatternDraft {
  readonly parts: readonly EntryRow[];
  readonly text: string;
  readonly by: ChangeAuthor;
  readonly vector: readonly number[];
  readonly embeddingModel: string;
}

function every(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

/** The part that names a thing first counts. */
function firstOf<K extends "location" | "topic" | "validFrom">(parts: readonly MemoryEntry[], field: K): string | null {
  return parts.map((part) => part[field]).find((value) => value !== null) ?? null;
}

function latestOf(times: readonly (string | null)[]): string | null {
  return times.reduce((latest, time) => (latest === null || (time !== null && time > latest) ? time : latest), null);
}

/** The entry that sums up others: what they agree in is its own, what they differ in is united. */
function patternOf(id: string, draft: PatternDraft, last: MemoryEntry, now: string): MemoryEntry {
  const parts = draft.parts.map(({ entry }) => entry);
  return {
    ...last,
    entryId: id,
    losslessRestatement: draft.text,
    kind: "pattern",
    keywords: every(parts.map(({ keywords }) => keywords)),
    persons: every(parts.map(({ persons }) => persons)),
    entities: every(parts.map(({ entities }) => entities)),
    sourceIds: every(parts.map(({ sourceIds }) => sourceIds)),
    location: firstOf(parts, "location"),
    topic: firstOf(parts, "topic"),
    validFrom: firstOf(parts, "validFrom"),
    attributes: Object.assign({}, ...parts.map(({ attributes }) => attributes)),
    metadata: Object.assign({}, ...parts.map(({ metadata }) => metadata).reverse()),
    confidence: Math.min(...parts.map(({ confidence }) => confidence)),
    importance: Math.max(...parts.map(({ importance }) => importance)),
    accessCount: parts.reduce((sum, { accessCount }) => sum + accessCount, 0),
    lastAccessedAt: latestOf(parts.map(({ lastAccessedAt }) => lastAccessedAt)),
    derivedFrom: parts.map(({ entryId }) => entryId),
    supersedes: [],
    supersededBy: null,
    createdAt: now,
    updatedAt: now,
    embeddingModel: draft.embeddingModel,
  };
}

/** The rows after a cluster became a pattern: the pattern first, then its parts, archived under it. */
export function patternRows(scope: ExactScope, draft: PatternDraft, now: string): readonly EntryRow[] {
  const last = draft.parts.at(-1);
  if (last === undefined) return [];
  const partIds = draft.parts.map(({ entry }) => entry.entryId);
  const id = patternIdOf(scope, partIds);
  const entry = patternOf(id, draft, last.entry, now);
  const origin = firstChange({
    op: "condensed",
    at: now,
    by: draft.by,
    turnIds: entry.sourceIds,
    reason: `sums up ${partIds.length} entries`,
    related: partIds,
  });
  const pattern: EntryRow = {
    entry,
    vector: draft.vector,
    contextWords: last.contextWords,
    ...lexicalColumns(entry),
    changes: [origin],
  };
  const archived = draft.parts.map((part) =>
    maintainedRow(
      part,
      { status: "archived" },
      { op: "condensed", reason: "summed up by a pattern", related: [id] },
      now,
    ),
  );
  return [pattern, ...archived];
}
