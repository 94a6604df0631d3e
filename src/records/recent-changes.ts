import type { MemoryEntry } from "./entry.js";
import type { MemoryFilter } from "./results.js";
import type { EntryVersion } from "./versions.js";

/** What became of an entry: it is new, other words took its place, it was carried out, put away, or changed in another way. */
export type ChangeKind = "added" | "superseded" | "done" | "archived" | "changed";

/** One entry that has changed. Plain JSON. */
export interface RecentChange {
  /** What has become of it, all changes taken together. */
  readonly what: ChangeKind;
  /** When it changed last, ISO 8601 in UTC, by the clock of who stored it. */
  readonly at: string;
  /** The entry as it is. */
  readonly entry: MemoryEntry;
  /** The entry as it was before; null when there was none. */
  readonly before: MemoryEntry | null;
  /** The changes, oldest first: when, why and by whom. */
  readonly changes: readonly Omit<EntryVersion, "entry">[];
}

/** Options of `changes`. */
export interface ChangesOptions {
  /** From then on, inclusive, ISO 8601; without an offset in UTC. */
  readonly since: string;
  /** Narrows what is told; judged by what the entries are now. Default: everything but what waits for a review. */
  readonly filter?: MemoryFilter;
  /** Entries of a page, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly cursor?: string;
}

const ENDS: ReadonlySet<string> = new Set(["superseded", "done", "archived"]);

function isEnd(status: string): status is "superseded" | "done" | "archived" {
  return ENDS.has(status);
}

function kindOf(entry: MemoryEntry, before: MemoryEntry | null): ChangeKind {
  if (isEnd(entry.status) && entry.status !== before?.status) return entry.status;
  return before === null ? "added" : "changed";
}

/** What happened to an entry since a time (ISO 8601 in UTC), of all its versions; null when nothing did. */
export function recentChange(versions: readonly EntryVersion[], since: string): RecentChange | null {
  const first = versions.findIndex(({ at }) => at >= since);
  const news = first === -1 ? [] : versions.slice(first);
  const last = news.at(-1);
  if (last === undefined) return null;
  const before = versions[first - 1]?.entry ?? null;
  const { entry, at } = last;
  return {
    what: kindOf(entry, before),
    at,
    entry,
    before,
    changes: news.map(({ entry: _entry, ...change }) => change),
  };
}
