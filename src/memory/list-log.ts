import {
  type DialogueTurn,
  type LoggedTurn,
  type LogOptions,
  type MemoryEntry,
  type Page,
  turnPlace,
  type WindowState,
} from "../records/index.js";
import { type ExactScope, type MemoryStore, readScopes } from "../store/index.js";

const DEFAULT_LIMIT = 100;
const UNFINISHED = ["pending", "claimed", "extracted"] as const satisfies WindowState[];

/** Places of turns in windows of these states. */
async function placesIn(store: MemoryStore, scope: ExactScope, states: readonly WindowState[]) {
  const windows = await store.ledger.list(scope, { states });
  return windows.flatMap(({ sessionId, turnIds }) => turnIds.map((dialogueId) => turnPlace({ sessionId, dialogueId })));
}

/** Answers how far a turn has come. */
async function progressOf(store: MemoryStore, scope: ExactScope, turns: readonly DialogueTurn[]) {
  const scopes = readScopes(scope);
  const [inbox, unfinished, failed] = await Promise.all([
    Promise.all(scopes.map((one) => store.inbox.waiting(one, "extract", turns))),
    Promise.all(scopes.map((one) => placesIn(store, one, UNFINISHED))),
    Promise.all(scopes.map((one) => placesIn(store, one, ["failed"]))),
  ]);
  const waits = new Set([...inbox.flatMap((places) => [...places]), ...unfinished.flat()]);
  const hasFailed = new Set(failed.flat());
  return (turn: DialogueTurn): LoggedTurn["progress"] => {
    if (hasFailed.has(turnPlace(turn))) return "failed";
    return waits.has(turnPlace(turn)) ? "waiting" : "read";
  };
}

/** Ids of turns are unique within a session only. */
function entriesByTurn(entries: readonly MemoryEntry[]): ReadonlyMap<string, readonly MemoryEntry[]> {
  const made = new Map<string, MemoryEntry[]>();
  for (const entry of entries) {
    for (const dialogueId of entry.sourceIds) {
      const place = turnPlace({ sessionId: entry.sessionId, dialogueId });
      made.set(place, [...(made.get(place) ?? []), entry]);
    }
  }
  return made;
}

/** The turns of a scope in the order in which they were said, each with the facts it became. */
export async function listLog(store: MemoryStore, scope: ExactScope, options: LogOptions): Promise<Page<LoggedTurn>> {
  const { filter, order = "oldest", limit = DEFAULT_LIMIT, cursor } = options;
  const page = await store.turns.page(scope, {
    descending: order === "newest",
    limit,
    ...(filter === undefined ? {} : { filter }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const ids = [...new Set(page.items.map(({ dialogueId }) => dialogueId))];
  const [progress, entries] = await Promise.all([
    progressOf(store, scope, page.items),
    ids.length === 0 ? [] : store.entries.bySources(scope, ids),
  ]);
  const made = entriesByTurn(entries);
  const items = page.items.map((turn) => ({
    turn,
    progress: progress(turn),
    entries: made.get(turnPlace(turn)) ?? [],
  }));
  return page.cursor === undefined ? { items } : { items, cursor: page.cursor };
}
