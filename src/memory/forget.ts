import {
  type DialogueTurn,
  type Fact,
  type ForgetOptions,
  type ForgetReceipt,
  type MemoryEntry,
  type MemoryFilter,
  turnPlace,
  type WindowRecord,
} from "../records/index.js";
import { type ExactScope, factId, type MemoryStore } from "../store/index.js";
import { type ProofContext, rowsWithoutProof } from "./drop-proof.js";

/** What one `forget` is about to remove. */
interface Doomed {
  readonly entries: readonly MemoryEntry[];
  readonly turns: readonly DialogueTurn[];
  readonly facts: readonly Fact[];
}

const EVERY_TIME = "0000-01-01T00:00:00.000Z";

/** Statuses of every kind: what is forgotten is forgotten in its archived and superseded forms too. */
const ALL_STATUSES = ["active", "done", "superseded", "conflicted", "doubtful", "pending_review", "archived"] as const;

async function entriesWhere(
  store: MemoryStore,
  scope: ExactScope,
  filter: MemoryFilter,
): Promise<readonly MemoryEntry[]> {
  const page = await store.entries.list(scope, { filter: { status: ALL_STATUSES, ...filter } });
  return page.items;
}

/** Turns that are proof of nothing else than the doomed entries. */
async function orphanedTurns(
  store: MemoryStore,
  scope: ExactScope,
  entries: readonly MemoryEntry[],
): Promise<readonly DialogueTurn[]> {
  const doomed = new Set(entries.map((entry) => entry.entryId));
  const sources = [...new Set(entries.flatMap((entry) => entry.sourceIds))];
  if (sources.length === 0) return [];
  const kept = (await store.entries.bySources(scope, sources)).filter((entry) => !doomed.has(entry.entryId));
  const needed = new Set(kept.flatMap((entry) => entry.sourceIds));
  const orphans = sources.filter((id) => !needed.has(id));
  const sessions = new Set(entries.map((entry) => entry.sessionId));
  return (await store.turns.byIds(scope, orphans)).filter((turn) => sessions.has(turn.sessionId));
}

/** Entries that stand on nothing else than the doomed turns. */
async function unprovenEntries(store: MemoryStore, scope: ExactScope, turns: readonly DialogueTurn[]) {
  const ids = turns.map((turn) => turn.dialogueId);
  if (ids.length === 0) return [];
  const gone = new Set(ids);
  const sessions = new Set(turns.map((turn) => turn.sessionId));
  const standing = await store.entries.bySources(scope, ids);
  return standing.filter((entry) => sessions.has(entry.sessionId) && entry.sourceIds.every((id) => gone.has(id)));
}

function isSessionFilter(filter: MemoryFilter): boolean {
  return filter.sessionId !== undefined && Object.values(filter).filter((part) => part !== undefined).length === 1;
}

async function doomedByIds(store: MemoryStore, scope: ExactScope, ids: readonly string[]): Promise<Doomed> {
  const entries = await store.entries.byIds(scope, ids);
  const known = new Set(entries.map((entry) => entry.entryId));
  const named = await store.turns.byIds(
    scope,
    ids.filter((id) => !known.has(id)),
  );
  const unproven = await unprovenEntries(store, scope, named);
  const all = [...entries, ...unproven.filter((entry) => !known.has(entry.entryId))];
  const orphaned = await orphanedTurns(store, scope, all);
  const turns = new Map([...named, ...orphaned].map((turn) => [turnPlace(turn), turn]));
  return { entries: all, turns: [...turns.values()], facts: [] };
}

async function doomedByFilter(store: MemoryStore, scope: ExactScope, filter: MemoryFilter): Promise<Doomed> {
  const entries = await entriesWhere(store, scope, filter);
  if (!isSessionFilter(filter)) return { entries, turns: await orphanedTurns(store, scope, entries), facts: [] };
  const facts = await store.facts.list(scope, { ...pickSession(filter), now: EVERY_TIME });
  return { entries, turns: await store.turns.list(scope, pickSession(filter)), facts };
}

function pickSession(filter: MemoryFilter): { sessionId?: string } {
  return filter.sessionId === undefined ? {} : { sessionId: filter.sessionId };
}

async function doomedAll(store: MemoryStore, scope: ExactScope): Promise<Doomed> {
  return {
    entries: await entriesWhere(store, scope, {}),
    turns: await store.turns.list(scope, {}),
    facts: await store.facts.list(scope, { now: EVERY_TIME }),
  };
}

function bySession(turns: readonly DialogueTurn[]): Map<string, string[]> {
  const sessions = new Map<string, string[]>();
  for (const turn of turns) {
    const list = sessions.get(turn.sessionId);
    if (list === undefined) sessions.set(turn.sessionId, [turn.dialogueId]);
    else list.push(turn.dialogueId);
  }
  return sessions;
}

/** Windows that lose turns: emptied ones go, and unfinished ones are dissolved so that the rest is cut anew. */
async function removeFromLedger(
  store: MemoryStore,
  scope: ExactScope,
  sessionId: string,
  ids: readonly string[],
): Promise<number> {
  const gone = new Set(ids);
  const windows = await store.ledger.holding(scope, sessionId, ids);
  const rest = (window: WindowRecord): string[] => window.turnIds.filter((id) => !gone.has(id));
  const doomed = windows.filter((window) => window.state !== "stored" || rest(window).length === 0);
  const waiting = doomed.filter((window) => window.state !== "stored").flatMap(rest);
  const again = waiting.length === 0 ? [] : await store.turns.find(scope, sessionId, waiting);
  if (again.length > 0) await store.inbox.push(scope, again, ["extract"]);
  await store.ledger.remove(
    scope,
    doomed.map((window) => window.windowId),
  );
  return doomed.length;
}

/** An export from before must not bring it back. */
async function buryMade(store: MemoryStore, scope: ExactScope, { entries, facts }: Doomed): Promise<void> {
  await store.tombstones.buryMade(
    scope,
    "entry",
    entries.map((entry) => entry.entryId),
  );
  await store.tombstones.buryMade(scope, "fact", facts.map(factId));
}

async function removeDoomed(context: ProofContext, doomed: Doomed) {
  const { store, scope } = context;
  const entryIds = doomed.entries.map((entry) => entry.entryId);
  // Made before anything is removed: the embedder may fail.
  const standing = await rowsWithoutProof(context, doomed.turns, entryIds);
  const removed = { entries: 0, turns: 0, facts: 0, windows: 0 };
  // Buried first: whatever is under way can no longer bring them back.
  for (const [sessionId, ids] of bySession(doomed.turns)) {
    await store.tombstones.bury(scope, sessionId, ids);
    removed.windows += await removeFromLedger(store, scope, sessionId, ids);
    await store.inbox.remove(scope, sessionId, ids);
    removed.turns += await store.turns.remove(scope, sessionId, ids);
    await store.chunks.remove(scope, sessionId, ids);
  }
  await buryMade(store, scope, doomed);
  removed.entries = await store.entries.remove(scope, entryIds);
  if (standing.length > 0) await store.entries.put(scope, standing);
  for (const fact of doomed.facts) removed.facts += Number(await store.facts.remove(scope, fact.sessionId, fact.key));
  return removed;
}

async function removeEverything(store: MemoryStore, scope: ExactScope, doomed: Doomed) {
  for (const [sessionId, ids] of bySession(doomed.turns)) await store.tombstones.bury(scope, sessionId, ids);
  await buryMade(store, scope, doomed);
  const windows = await store.ledger.removeAll(scope);
  await store.inbox.removeAll(scope);
  const turns = await store.turns.removeAll(scope);
  await store.chunks.removeAll(scope);
  const entries = await store.entries.removeAll(scope);
  const facts = await store.facts.removeAll(scope);
  return { entries, turns, facts, windows };
}

async function isGone(store: MemoryStore, scope: ExactScope, doomed: Doomed): Promise<boolean> {
  const entries = await store.entries.byIds(
    scope,
    doomed.entries.map((entry) => entry.entryId),
  );
  if (entries.length > 0) return false;
  for (const [sessionId, ids] of bySession(doomed.turns)) {
    if ((await store.turns.find(scope, sessionId, ids)).length > 0) return false;
    if ((await store.chunks.byTurns(scope, sessionId, ids)).length > 0) return false;
  }
  return true;
}

function selectDoomed(store: MemoryStore, scope: ExactScope, options: ForgetOptions): Promise<Doomed> {
  if (options.ids !== undefined) return doomedByIds(store, scope, options.ids);
  return options.filter === undefined ? doomedAll(store, scope) : doomedByFilter(store, scope, options.filter);
}

/**
 * Removes what the options name, with everything that stands on it alone, and proves it. The caller holds the scope.
 * `scrub` rewrites the files when the bytes must go too.
 */
export async function forgetWithin(
  context: ProofContext,
  options: ForgetOptions,
  scrub: () => Promise<void>,
): Promise<ForgetReceipt> {
  const { store, scope } = context;
  const doomed = await selectDoomed(store, scope, options);
  if (options.dryRun === true) {
    const windows = options.all === true ? (await store.ledger.list(scope)).length : 0;
    const removed = {
      entries: doomed.entries.length,
      turns: doomed.turns.length,
      facts: doomed.facts.length,
      windows,
    };
    return { removed, purged: false, verified: false };
  }
  const removed =
    options.all === true ? await removeEverything(store, scope, doomed) : await removeDoomed(context, doomed);
  if (options.purge === true) await scrub();
  return { removed, purged: options.purge === true, verified: await isGone(store, scope, doomed) };
}
