import { ENTRY_KINDS, type EntryStatus, type MemoryEntry, type Trust } from "../records/index.js";
import { folded, metadataHashes, scopeCells, scopedKey } from "./keys.js";
import { milliseconds, millisecondsOrNull, type Row } from "./row.js";
import { type Cells, SCOPE_COLUMNS } from "./schema.js";
import type { EntryRow, ExactScope } from "./store.js";
import type { TableDesign } from "./table.js";
import { ROLES } from "./turns.js";

export const ENTRY_STATUSES = [
  "active",
  "done",
  "superseded",
  "conflicted",
  "doubtful",
  "pending_review",
  "archived",
] as const satisfies EntryStatus[];

const TRUSTS = ["user", "assistant", "tool", "import"] as const satisfies Trust[];

export const ENTRIES: TableDesign = {
  name: "entries",
  key: "row_key",
  wordColumns: ["words", "context_words", "person_words", "keyword_words"],
  columns: {
    row_key: "key",
    ...SCOPE_COLUMNS,
    session_id: "text",
    entry_id: "text",
    lossless_restatement: "text",
    keywords: "list",
    timestamp: "number?",
    timestamp_end: "number?",
    mentioned_at: "number",
    /** timestamp, else mentioned_at: what a time filter and the order by time go by. */
    event_at: "number",
    location: "text?",
    location_folded: "text?",
    persons: "list",
    persons_folded: "list",
    entities: "list",
    entities_folded: "list",
    topic: "text?",
    topic_folded: "text?",
    attributes: "text",
    kind: "text",
    speaker: "text",
    speaker_folded: "text",
    source_role: "text",
    source_ids: "list",
    confidence: "number",
    importance: "number",
    trust: "text",
    status: "text",
    pinned: "flag",
    valid_from: "number?",
    valid_to: "number?",
    expires_at: "number?",
    supersedes: "list",
    superseded_by: "text?",
    derived_from: "list",
    access_count: "number",
    last_accessed_at: "number?",
    metadata: "text",
    metadata_hashes: "list",
    created_at: "number",
    updated_at: "number",
    embedding_model: "text",
    words: "text",
    context_words: "text",
    person_words: "text",
    keyword_words: "text",
    vector: "vector",
  },
};

const SEARCH_ONLY = new Set(["row_key", "vector", ...ENTRIES.wordColumns]);

/** What a read needs that gives back records: neither vectors nor words. */
export const ENTRY_RECORD_COLUMNS: readonly string[] = Object.keys(ENTRIES.columns).filter(
  (column) => !SEARCH_ONLY.has(column) && !column.endsWith("_folded") && !column.endsWith("_hashes"),
);

function foldedOrNull(name: string | null): string | null {
  return name === null ? null : folded(name);
}

export function entryKey(scope: ExactScope, entryId: string): string {
  return scopedKey(scope, entryId);
}

function recordCells(entry: MemoryEntry): Cells {
  return {
    session_id: entry.sessionId,
    entry_id: entry.entryId,
    lossless_restatement: entry.losslessRestatement,
    keywords: entry.keywords,
    timestamp: millisecondsOrNull(entry.timestamp),
    timestamp_end: millisecondsOrNull(entry.timestampEnd),
    mentioned_at: milliseconds(entry.mentionedAt),
    location: entry.location,
    persons: entry.persons,
    entities: entry.entities,
    topic: entry.topic,
    attributes: JSON.stringify(entry.attributes),
    kind: entry.kind,
    speaker: entry.speaker,
    source_role: entry.sourceRole,
    source_ids: entry.sourceIds,
    confidence: entry.confidence,
    importance: entry.importance,
    trust: entry.trust,
    status: entry.status,
    pinned: entry.pinned,
    valid_from: millisecondsOrNull(entry.validFrom),
    valid_to: millisecondsOrNull(entry.validTo),
    expires_at: millisecondsOrNull(entry.expiresAt),
    supersedes: entry.supersedes,
    superseded_by: entry.supersededBy,
    derived_from: entry.derivedFrom,
    access_count: entry.accessCount,
    last_accessed_at: millisecondsOrNull(entry.lastAccessedAt),
    metadata: JSON.stringify(entry.metadata),
    created_at: milliseconds(entry.createdAt),
    updated_at: milliseconds(entry.updatedAt),
    embedding_model: entry.embeddingModel,
  };
}

export function entryCells(scope: ExactScope, { entry, ...search }: EntryRow): Cells {
  return {
    row_key: entryKey(scope, entry.entryId),
    ...scopeCells(scope),
    ...recordCells(entry),
    event_at: milliseconds(entry.timestamp ?? entry.mentionedAt),
    location_folded: foldedOrNull(entry.location),
    persons_folded: entry.persons.map(folded),
    entities_folded: entry.entities.map(folded),
    topic_folded: foldedOrNull(entry.topic),
    speaker_folded: folded(entry.speaker),
    metadata_hashes: metadataHashes(entry.metadata),
    words: search.words,
    context_words: search.contextWords,
    person_words: search.personWords,
    keyword_words: search.keywordWords,
    vector: search.vector,
  };
}

export function entryOf(row: Row): MemoryEntry {
  const attributes: MemoryEntry["attributes"] = JSON.parse(row.text("attributes"));
  return {
    entryId: row.text("entry_id"),
    sessionId: row.text("session_id"),
    losslessRestatement: row.text("lossless_restatement"),
    keywords: row.list("keywords"),
    timestamp: row.timeOrNull("timestamp"),
    timestampEnd: row.timeOrNull("timestamp_end"),
    mentionedAt: row.time("mentioned_at"),
    location: row.textOrNull("location"),
    persons: row.list("persons"),
    entities: row.list("entities"),
    topic: row.textOrNull("topic"),
    attributes,
    kind: row.oneOf("kind", ENTRY_KINDS),
    speaker: row.text("speaker"),
    sourceRole: row.oneOf("source_role", ROLES),
    sourceIds: row.list("source_ids"),
    confidence: row.number("confidence"),
    importance: row.number("importance"),
    trust: row.oneOf("trust", TRUSTS),
    status: row.oneOf("status", ENTRY_STATUSES),
    pinned: row.flag("pinned"),
    validFrom: row.timeOrNull("valid_from"),
    validTo: row.timeOrNull("valid_to"),
    expiresAt: row.timeOrNull("expires_at"),
    supersedes: row.list("supersedes"),
    supersededBy: row.textOrNull("superseded_by"),
    derivedFrom: row.list("derived_from"),
    accessCount: row.number("access_count"),
    lastAccessedAt: row.timeOrNull("last_accessed_at"),
    metadata: row.metadata("metadata"),
    createdAt: row.time("created_at"),
    updatedAt: row.time("updated_at"),
    embeddingModel: row.text("embedding_model"),
  };
}

export function entryRowOf(row: Row): EntryRow {
  return {
    entry: entryOf(row),
    vector: row.vectorOrNull("vector") ?? [],
    words: row.text("words"),
    contextWords: row.text("context_words"),
    personWords: row.text("person_words"),
    keywordWords: row.text("keyword_words"),
  };
}
