import type { EntryChange, MemoryEntry } from "../records/index.js";
import { folded, metadataHashes, scopeCells, scopedKey } from "./keys.js";
import type { TextSource } from "./move.js";
import { milliseconds, millisecondsOrNull, type Row } from "./row.js";
import { type Cells, SCOPE_COLUMNS } from "./schema.js";
import type { EntryRow, ExactScope } from "./store.js";
import type { TableDesign } from "./table.js";

/**
 * The record is one column: reading forty columns of a hundred found rows costs ten times what parsing their JSON does. What
 * is asked by predicate, order or search has a column of its own beside it.
 */
export const ENTRIES: TableDesign = {
  name: "entries",
  key: "row_key",
  wordColumns: ["words", "context_words", "person_words", "keyword_words"],
  added: ["changes"],
  columns: {
    row_key: "key",
    ...SCOPE_COLUMNS,
    session_id: "text",
    entry_id: "text",
    record: "text",
    /** timestamp, else mentioned_at: what a time filter and the order by time go by. */
    event_at: "number",
    location_folded: "text?",
    persons_folded: "list",
    entities_folded: "list",
    topic_folded: "text?",
    kind: "text",
    speaker_folded: "text",
    source_ids: "list",
    status: "text",
    trust: "text",
    pinned: "flag",
    importance: "number",
    confidence: "number",
    valid_from: "number?",
    valid_to: "number?",
    expires_at: "number?",
    last_accessed_at: "number?",
    metadata_hashes: "list",
    created_at: "number",
    updated_at: "number",
    words: "text",
    context_words: "text",
    person_words: "text",
    keyword_words: "text",
    vector: "vector",
    /** Apart from the record: a search does not read it. */
    changes: "text?",
  },
};

function recordIn(cells: Cells): MemoryEntry {
  const entry: MemoryEntry = JSON.parse(String(cells.record));
  return entry;
}

/** What vectors of entries are made of; the record names who made them. */
export const ENTRY_TEXTS: TextSource = {
  textOf: (cells) => recordIn(cells).losslessRestatement,
  madeBy: (cells, embeddingModel) => ({ ...cells, record: JSON.stringify({ ...recordIn(cells), embeddingModel }) }),
};

/** What a read needs that gives back records. */
export const ENTRY_RECORD_COLUMNS: readonly string[] = ["record"];

function foldedOrNull(name: string | null): string | null {
  return name === null ? null : folded(name);
}

/** Former sources too: who forgets a turn must find every version that stands on it. */
function everySource(entry: MemoryEntry, changes: readonly EntryChange[]): readonly string[] {
  return [...new Set([...entry.sourceIds, ...changes.flatMap(({ turnIds }) => turnIds)])];
}

export function entryKey(scope: ExactScope, entryId: string): string {
  return scopedKey(scope, entryId);
}

export function entryCells(scope: ExactScope, { entry, ...search }: EntryRow): Cells {
  return {
    row_key: entryKey(scope, entry.entryId),
    ...scopeCells(scope),
    session_id: entry.sessionId,
    entry_id: entry.entryId,
    record: JSON.stringify(entry),
    event_at: milliseconds(entry.timestamp ?? entry.mentionedAt),
    location_folded: foldedOrNull(entry.location),
    persons_folded: entry.persons.map(folded),
    entities_folded: entry.entities.map(folded),
    topic_folded: foldedOrNull(entry.topic),
    kind: entry.kind,
    speaker_folded: folded(entry.speaker),
    source_ids: everySource(entry, search.changes),
    status: entry.status,
    trust: entry.trust,
    pinned: entry.pinned,
    importance: entry.importance,
    confidence: entry.confidence,
    valid_from: millisecondsOrNull(entry.validFrom),
    valid_to: millisecondsOrNull(entry.validTo),
    expires_at: millisecondsOrNull(entry.expiresAt),
    last_accessed_at: millisecondsOrNull(entry.lastAccessedAt),
    metadata_hashes: metadataHashes(entry.metadata),
    created_at: milliseconds(entry.createdAt),
    updated_at: milliseconds(entry.updatedAt),
    words: search.words,
    context_words: search.contextWords,
    person_words: search.personWords,
    keyword_words: search.keywordWords,
    vector: search.vector,
    changes: JSON.stringify(search.changes),
  };
}

export function entryOf(row: Row): MemoryEntry {
  const entry: MemoryEntry = JSON.parse(row.text("record"));
  return entry;
}

/** What happened to the entry of a row; nothing is known of rows from before histories were kept. */
export function changesIn(row: Row): readonly EntryChange[] {
  const changes: readonly EntryChange[] = JSON.parse(row.textOrNull("changes") ?? "[]");
  return changes;
}

export function entryRowOf(row: Row): EntryRow {
  return {
    entry: entryOf(row),
    vector: row.vectorOrNull("vector") ?? [],
    words: row.text("words"),
    contextWords: row.text("context_words"),
    personWords: row.text("person_words"),
    keywordWords: row.text("keyword_words"),
    changes: changesIn(row),
  };
}
