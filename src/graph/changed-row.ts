import { type ChangeCause, type MemoryEntry, withChange } from "../records/index.js";
import type { EntryRow } from "../store/index.js";
import { lexicalColumns } from "./fresh-entry.js";

/** The row with other values, the words that are indexed of them, and one more change in its history. */
export function changed(row: EntryRow, change: Partial<MemoryEntry>, cause: ChangeCause): EntryRow {
  const entry = { ...row.entry, ...change, updatedAt: cause.at };
  return { ...row, entry, ...lexicalColumns(entry), changes: withChange(row.changes, row.entry, entry, cause) };
}
