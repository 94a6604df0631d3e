import { entryIdOf } from "../../graph/index.js";
import type { WindowRecord } from "../../records/index.js";
import type { EntryWithChanges, ExactScope, MemoryStore } from "../../store/index.js";
import { everySource } from "./import-entries.js";

/** More than a window gives: by the ids of its places a forgotten entry is known. */
const PLACES = 100;

/** Ids of turns whose windows are all stored: nothing of them is still to come. */
function storedIds(windows: readonly WindowRecord[]): ReadonlySet<string> {
  const isStored = ({ state }: WindowRecord): boolean => state === "stored";
  const ids = new Set(windows.filter(isStored).flatMap(({ turnIds }) => turnIds));
  for (const window of windows) if (!isStored(window)) for (const id of window.turnIds) ids.delete(id);
  return ids;
}

/** Ids of turns of which everything was extracted and stored. */
export async function settledTurns(store: MemoryStore, scope: ExactScope): Promise<ReadonlySet<string>> {
  const ids = new Set(storedIds(await store.ledger.list(scope)));
  for (const { dialogueId } of await store.inbox.pending(scope, "extract")) ids.delete(dialogueId);
  return ids;
}

/**
 * The windows from which something was forgotten while their turns stayed. A forget empties the items of a stored window; so
 * does an extraction that found nothing, but then no entry stands on its turns, and none of its places is buried.
 */
async function forgottenWindows(
  { tombstones }: MemoryStore,
  scope: ExactScope,
  windows: readonly WindowRecord[],
  entries: readonly EntryWithChanges[],
): Promise<readonly WindowRecord[]> {
  const empty = windows.filter(({ state, items }) => state === "stored" && items.length === 0);
  const places = empty.map(({ windowId }) => Array.from({ length: PLACES }, (_, place) => entryIdOf(windowId, place)));
  const buried = await tombstones.buriedMade(scope, "entry", places.flat());
  const proving = new Set(entries.flatMap(everySource));
  return empty.filter(
    ({ turnIds }, index) => turnIds.some((id) => proving.has(id)) || places[index]?.some((id) => buried.has(id)),
  );
}

/** Ids of settled turns of whose statements nothing was forgotten: what they state may be put in other words. */
export async function openTurns(
  store: MemoryStore,
  scope: ExactScope,
  entries: readonly EntryWithChanges[],
): Promise<ReadonlySet<string>> {
  const open = new Set(await settledTurns(store, scope));
  const windows = await store.ledger.list(scope);
  for (const window of await forgottenWindows(store, scope, windows, entries)) {
    for (const id of window.turnIds) open.delete(id);
  }
  return open;
}
