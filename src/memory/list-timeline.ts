import {
  linkBetween,
  type MemoryEntry,
  type MemoryFilter,
  type Page,
  type TimelineItem,
  type TimelineOptions,
} from "../records/index.js";
import { withHappened } from "../retrievers/index.js";
import type { ReadFilter } from "../store/index.js";
import type { ListContext } from "./list-entries.js";

const DEFAULT_LIMIT = 100;

function subjectOf({ person, entity, topic, after, before }: TimelineOptions): MemoryFilter {
  return {
    ...(person === undefined ? {} : { persons: [person] }),
    ...(entity === undefined ? {} : { entities: [entity] }),
    ...(topic === undefined ? {} : { topic }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}

function itemOf(entry: MemoryEntry, following: MemoryEntry | undefined): TimelineItem {
  const link = following === undefined ? null : linkBetween(entry, following);
  return { entry, at: entry.timestamp ?? entry.mentionedAt, link };
}

/** Entries about one person or thing in the order of what happened, each with what links it to the one after it. */
export async function listTimeline(
  { store, scope, now }: ListContext,
  options: TimelineOptions,
): Promise<Page<TimelineItem>> {
  const { filter, includeArchived = false, order = "oldest", limit = DEFAULT_LIMIT, cursor } = options;
  const sight = withHappened(store, { scope, includeArchived, ...(filter === undefined ? {} : { filter }) }, now);
  // The subject beside the filter, not in its place: both must hold.
  const about: ReadFilter = { ...sight.entryFilter, anyOf: [subjectOf(options)] };
  const page = await store.entries.byEvent(scope, {
    filter: about,
    descending: order === "newest",
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const items = page.items.map((entry, index) => itemOf(entry, page.items[index + 1] ?? page.next));
  return page.cursor === undefined ? { items } : { items, cursor: page.cursor };
}
