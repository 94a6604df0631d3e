import type { ListOptions, MemoryEntry, MemoryFilter, Page } from "../records/index.js";
import { Sight } from "../retrievers/index.js";
import type { ExactScope, MemoryStore } from "../store/index.js";
import { fullPage, type PageRequest } from "./full-page.js";

/** Where entries are listed from. */
export interface ListContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  /** ms since the epoch. */
  readonly now: number;
}

function filterOf({ kind, status, filter }: ListOptions): MemoryFilter {
  return {
    status: "active",
    ...filter,
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Entries in the order of creation, as they are or as they were believed at `asOf`. */
export function listEntries({ store, scope, now }: ListContext, options: ListOptions): Promise<Page<MemoryEntry>> {
  const { asOf, limit, cursor } = options;
  const sight = new Sight(store, { scope, filter: filterOf(options), ...(asOf === undefined ? {} : { asOf }) }, now);
  const read = (page: PageRequest): Promise<Page<MemoryEntry>> =>
    store.entries.list(scope, { filter: sight.entryFilter, ...page });
  const request = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
  if (asOf === undefined) return read(request);
  const asTheyWere = async (rows: readonly MemoryEntry[]): Promise<(MemoryEntry | null)[]> => {
    const then = new Map((await sight.states(rows)).map((entry) => [entry.entryId, entry]));
    return rows.map(({ entryId }) => {
      const entry = then.get(entryId);
      return entry !== undefined && sight.sees(entry) ? entry : null;
    });
  };
  return fullPage(read, asTheyWere, request);
}
