import { ENTRY_KINDS, ENTRY_STATUSES, type MemoryEntry, type Trust } from "../records/index.js";
import { ENTRIES } from "./entry-cells.js";
import type { FormerColumns } from "./replaced-columns.js";
import type { Row } from "./row.js";
import type { Columns } from "./schema.js";
import { ROLES } from "./turns.js";

const TRUSTS = ["user", "assistant", "tool", "import"] as const satisfies Trust[];

/** Fields of an entry that had columns of their own, before the record became one. */
const FIELDS = {
  lossless_restatement: "text",
  keywords: "list",
  timestamp: "number?",
  timestamp_end: "number?",
  mentioned_at: "number",
  location: "text?",
  persons: "list",
  entities: "list",
  topic: "text?",
  attributes: "text",
  speaker: "text",
  source_role: "text",
  supersedes: "list",
  superseded_by: "text?",
  derived_from: "list",
  access_count: "number",
  metadata: "text",
  embedding_model: "text",
} as const satisfies Columns;

function formerEntry(row: Row): MemoryEntry {
  const attributes: MemoryEntry["attributes"] = JSON.parse(row.text("attributes"));
  return {
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
    entryId: row.text("entry_id"),
    sessionId: row.text("session_id"),
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

/** The columns of entries in stores of version 1, and of early ones of version 2. */
export const FORMER_ENTRIES: FormerColumns = {
  fields: FIELDS,
  columns: { ...ENTRIES.columns, ...FIELDS },
  into: "record",
  textOf: (row) => JSON.stringify(formerEntry(row)),
};
