import type { Metadata } from "../records/index.js";
import { all, holdsAny, notEndedBy, type Predicate } from "./filter.js";
import type { ItemPlace, ItemRow, ItemSelection, ItemWrite } from "./item-table.js";
import { hashOf, metadataHash, metadataHashes } from "./keys.js";
import type { Row } from "./row.js";
import type { Cells } from "./schema.js";
import type { TableDesign } from "./table.js";

/** Labels and keys are kept as JSON: it can be read back exactly, whatever characters they hold. */
export const ITEMS: TableDesign = {
  name: "items",
  key: "row_key",
  wordColumns: [],
  columns: {
    row_key: "key",
    namespace: "text",
    item_key: "text",
    value: "text",
    /** A hash for each prefix of the namespace, so that a prefix matches whole labels only. */
    prefixes: "list",
    /** Hashes of the fields by which items are selected, see metadataHash. */
    fields: "list",
    /** Ties the item to its vectors; "" when it has none. */
    revision: "text",
    created_at: "number",
    updated_at: "number",
    /** Order of creation, also within a millisecond. */
    sequence: "number",
    ttl_ms: "number?",
    expires_at: "number?",
  },
};

/** A vector counts as long as its revision is that of the item: a row of an older value is never found. */
export const ITEM_VECTORS: TableDesign = {
  name: "item_vectors",
  key: "row_key",
  wordColumns: [],
  columns: {
    row_key: "key",
    item: "text",
    revision: "text",
    prefixes: "list",
    fields: "list",
    written_at: "number",
    vector: "vector",
  },
};

export function itemKey({ namespace, key }: ItemPlace): string {
  return hashOf(hashOf(...namespace), key);
}

/** Items and vectors under a prefix; no labels: all. */
export function under(prefix: readonly string[]): Predicate {
  return prefix.length === 0 ? all() : holdsAny("prefixes", [hashOf(...prefix)]);
}

function withFields(equal: Metadata = {}): Predicate {
  return all(...Object.entries(equal).map(([field, value]) => holdsAny("fields", [metadataHash(field, value)])));
}

/** Rows of either table that the selection means, expired or not. */
export function selected(selection: ItemSelection): Predicate {
  return all(under(selection.prefix), withFields(selection.equal));
}

export function living(now: number): Predicate {
  return notEndedBy("expires_at", now);
}

/** What stays of an item when it is written again. */
export interface Birth {
  readonly createdAt: number;
  readonly sequence: number;
}

function selectionCells(write: ItemWrite): Cells {
  return {
    prefixes: write.namespace.map((_label, index) => hashOf(...write.namespace.slice(0, index + 1))),
    fields: metadataHashes(write.fields),
  };
}

export function itemCells(write: ItemWrite, revision: string, birth: Birth, now: number): Cells {
  return {
    row_key: itemKey(write),
    namespace: JSON.stringify(write.namespace),
    item_key: JSON.stringify(write.key),
    value: write.json,
    ...selectionCells(write),
    revision,
    created_at: birth.createdAt,
    updated_at: now,
    sequence: birth.sequence,
    ttl_ms: write.ttlMs,
    expires_at: write.ttlMs === null ? null : now + write.ttlMs,
  };
}

export function vectorCells(write: ItemWrite, revision: string, now: number): readonly Cells[] {
  return write.vectors.map((vector, ordinal) => ({
    row_key: `${revision}:${ordinal}`,
    item: itemKey(write),
    revision,
    ...selectionCells(write),
    written_at: now,
    vector,
  }));
}

export function namespaceOf(row: Row): readonly string[] {
  const namespace: readonly string[] = JSON.parse(row.text("namespace"));
  return namespace;
}

export function itemOf(row: Row): ItemRow {
  const key: string = JSON.parse(row.text("item_key"));
  return {
    namespace: namespaceOf(row),
    key,
    json: row.text("value"),
    createdAt: row.time("created_at"),
    updatedAt: row.time("updated_at"),
    ttlMs: row.numberOrNull("ttl_ms"),
    expiresAt: row.timeOrNull("expires_at"),
  };
}
