import {
  type CostDay,
  CURRENT_STATUSES,
  ENTRY_STATUSES,
  type EntryStatus,
  type Growth,
  type GrowthDay,
  type MemoryEntry,
  type Page,
} from "../records/index.js";
import { costsByDay, type ExactScope, type MemoryStore, readScopes } from "../store/index.js";

const PAGE = 1_000;
const DAY_LENGTH = "2025-03-01".length;
/** What reads give unless they are asked for more. */
const CURRENT: ReadonlySet<EntryStatus> = new Set(CURRENT_STATUSES);

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Days = Map<string, Writable<GrowthDay>>;

/** What a memory's growth is read from. */
export interface GrowthContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  readonly countTokens: (text: string) => number;
  /** Costs that were not written yet. */
  readonly unwritten: (scope: ExactScope) => readonly CostDay[];
}

function dayOf(days: Days, instant: string): Writable<GrowthDay> {
  const day = instant.slice(0, DAY_LENGTH);
  const known = days.get(day);
  if (known !== undefined) return known;
  const fresh = { day, turns: 0, turnTokens: 0, entries: 0, currentEntries: 0, currentTokens: 0 };
  days.set(day, fresh);
  return fresh;
}

/** Reads a list page by page: however long it is, one page is held. */
async function* pageByPage<T>(read: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    yield* page.items;
    if (page.cursor === undefined) return;
    cursor = page.cursor;
  }
}

function countEntry(days: Days, entry: MemoryEntry, countTokens: (text: string) => number): void {
  const day = dayOf(days, entry.mentionedAt);
  day.entries += 1;
  if (!CURRENT.has(entry.status)) return;
  day.currentEntries += 1;
  day.currentTokens += countTokens(entry.losslessRestatement);
}

/** How a memory grew, day by day, and what models cost. */
export async function growthOf({ store, scope, countTokens, unwritten }: GrowthContext): Promise<Growth> {
  const days: Days = new Map();
  const paged = (cursor: string | undefined) => ({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
  for await (const turn of pageByPage((cursor) => store.turns.page(scope, paged(cursor)))) {
    const day = dayOf(days, turn.timestamp);
    day.turns += 1;
    day.turnTokens += countTokens(`${turn.speaker}: ${turn.content}`);
  }
  const filter = { status: ENTRY_STATUSES };
  for await (const entry of pageByPage((cursor) => store.entries.list(scope, { filter, ...paged(cursor) }))) {
    countEntry(days, entry, countTokens);
  }
  const costs = await Promise.all(
    readScopes(scope).map(async (one) => [...(await store.costs.list(one)), ...unwritten(one)]),
  );
  return {
    days: [...days.values()].sort((left, right) => (left.day < right.day ? -1 : 1)),
    costs: costsByDay(costs.flat()),
  };
}
