import type { ChangeAuthor, ChangeCause, EntryChange, MemoryEntry } from "../records/index.js";
import type { EntryRow } from "../store/index.js";
import { changed } from "./changed-row.js";

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
  return changed(row, change, { related: [], turnIds: [], ...cause, at: now, by });
}

/** The change that gave an entry its present status; undefined when it never had another. */
export function statusChange({ changes }: Pick<EntryRow, "changes">): EntryChange | undefined {
  return changes.findLast(({ before }) => before.status !== undefined);
}

/** Whether somebody made the entry stand by itself: what was restored or taken apart by hand is not put away again. */
export function isKeptByHand({ changes }: Pick<EntryRow, "changes">): boolean {
  return changes.some(({ op, by }) => by === "user" && (op === "restored" || op === "expanded"));
}
