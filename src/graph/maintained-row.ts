import {
  type ChangeAuthor,
  type ChangeCause,
  type EntryChange,
  type MemoryEntry,
  withChange,
} from "../records/index.js";
import type { EntryRow } from "../store/index.js";
import { lexicalColumns } from "./fresh-entry.js";

/** What a run of maintenance notes in a history. */
export type MaintainCause = Pick<ChangeCause, "op" | "reason"> & Partial<Pick<ChangeCause, "related" | "turnIds">>;

/** The row with another state of its entry, as a new version; its text and its vector stay. */
export function maintainedRow(
  row: EntryRow,
  change: Partial<MemoryEntry>,
  cause: MaintainCause,
  now: string,
  by: ChangeAuthor = "maintenance",
): EntryRow {
  const entry: MemoryEntry = { ...row.entry, ...change, updatedAt: now };
  const noted: ChangeCause = { related: [], turnIds: [], ...cause, at: now, by };
  return { ...row, ...lexicalColumns(entry), entry, changes: withChange(row.changes, row.entry, entry, noted) };
}

/** The change that gave an entry its present status; undefined when it never had another. */
export function statusChange({ changes }: Pick<EntryRow, "changes">): EntryChange | undefined {
  return changes.findLast(({ before }) => before.status !== undefined);
}

/** Whether somebody made the entry stand by itself: what was restored or taken apart by hand is not put away again. */
export function isKeptByHand({ changes }: Pick<EntryRow, "changes">): boolean {
  return changes.some(({ op, by }) => by === "user" && (op === "restored" || op === "expanded"));
}
