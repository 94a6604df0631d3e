import {
  type ChangesOptions,
  type EntryStatus,
  inUtc,
  type Page,
  type RecentChange,
  recentChange,
  versionsOf,
} from "../records/index.js";
import type { EntryWithChanges, ExactScope, MemoryStore } from "../store/index.js";
import { fullPage, type PageRequest } from "./full-page.js";

const DEFAULT_LIMIT = 100;
/** All but what no read gives before it is approved. */
const TOLD = ["active", "done", "superseded", "conflicted", "doubtful", "archived"] as const satisfies EntryStatus[];

/** What changed since a time, in the order of the last change. An entry that changes meanwhile comes again, further on. */
export function listChanges(
  store: MemoryStore,
  scope: ExactScope,
  { since, filter, limit = DEFAULT_LIMIT, cursor }: ChangesOptions,
): Promise<Page<RecentChange>> {
  const from = inUtc(since);
  const read = (page: PageRequest): Promise<Page<EntryWithChanges>> =>
    store.entries.changedSince(scope, { since: from, filter: { status: TOLD, ...filter }, ...page });
  // A row that was only counted or said again has no version since.
  const told = async (rows: readonly EntryWithChanges[]): Promise<(RecentChange | null)[]> =>
    rows.map(({ entry, changes }) => recentChange(versionsOf(entry, changes), from));
  return fullPage(read, told, { limit, ...(cursor === undefined ? {} : { cursor }) });
}
