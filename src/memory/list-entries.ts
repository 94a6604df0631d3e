import type { ListOptions, MemoryEntry, MemoryFilter, Page } from "../records/index.js";
import { Sight } from "../retrievers/index.js";
import type { ExactScope, MemoryStore } from "../store/index.js";

/** Rows that are read at once where some of them may not be shown. */
const MIN_READ = 100;

/** Where entries are listed from. */
export interface ListContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  /** ms since the epoch. */
  readonly now: number;
}

type ReadPage = (limit?: number, cursor?: string) => Promise<Page<MemoryEntry>>;

function filterOf({ kind, status, filter }: ListOptions): MemoryFilter {
  return {
    status: "active",
    ...filter,
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Reads on until the page is full: what an entry was then is known only once it has been read. */
async function pageOfThen(
  sight: Sight,
  read: ReadPage,
  { limit = Number.POSITIVE_INFINITY, cursor }: ListOptions,
): Promise<Page<MemoryEntry>> {
  const items: MemoryEntry[] = [];
  let next = cursor;
  do {
    const rows = await read(Number.isFinite(limit) ? Math.max(limit - items.length, MIN_READ) : undefined, next);
    const then = new Map((await sight.states(rows.items)).map((entry) => [entry.entryId, entry]));
    for (const [index, { entryId }] of rows.items.entries()) {
      const entry = then.get(entryId);
      if (entry !== undefined && sight.sees(entry)) items.push(entry);
      if (items.length < limit) continue;
      // The cursor stands behind the last row that was used, which need not be the last that was read.
      const isLast = index === rows.items.length - 1;
      const end = isLast ? rows.cursor : (await read(index + 1, next)).cursor;
      return end === undefined ? { items } : { items, cursor: end };
    }
    next = rows.cursor;
  } while (next !== undefined);
  return { items };
}

/** Entries in the order of creation, as they are or as they were believed at `asOf`. */
export function listEntries({ store, scope, now }: ListContext, options: ListOptions): Promise<Page<MemoryEntry>> {
  const { asOf, limit, cursor } = options;
  const sight = new Sight(store, { scope, filter: filterOf(options), ...(asOf === undefined ? {} : { asOf }) }, now);
  const read: ReadPage = (rows, from) =>
    store.entries.list(scope, {
      filter: sight.entryFilter,
      ...(rows === undefined ? {} : { limit: rows }),
      ...(from === undefined ? {} : { cursor: from }),
    });
  return asOf === undefined ? read(limit, cursor) : pageOfThen(sight, read, options);
}
