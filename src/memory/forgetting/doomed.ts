import {
  type DialogueTurn,
  ENTRY_STATUSES,
  type Fact,
  type ForgetOptions,
  factHitId,
  type MemoryEntry,
  type MemoryFilter,
  turnPlace,
} from "../../records/index.js";
import type { ExactScope, MemoryStore } from "../../store/index.js";

/** What one `forget` is about to remove: rows of exactly one scope. */
export interface Doomed {
  readonly entries: readonly MemoryEntry[];
  readonly turns: readonly DialogueTurn[];
  readonly facts: readonly Fact[];
  /** Turns that stay, but lose an entry that said what they say: they are read once more. */
  readonly reread: readonly DialogueTurn[];
  /** Named ids that the scope may read but does not own: what all agents share. */
  readonly outside: readonly string[];
}

/** The values, each once, told apart by a name. */
function eachOnce<T>(values: readonly T[], nameOf: (value: T) => string): readonly T[] {
  return [...new Map(values.map((value) => [nameOf(value), value])).values()];
}

function eachEntryOnce(entries: readonly MemoryEntry[]): readonly MemoryEntry[] {
  return eachOnce(entries, (entry) => entry.entryId);
}

/** Entries that sum up one of these, and what sums those up in turn: their words are made of what goes. */
export async function withDerived(
  store: MemoryStore,
  scope: ExactScope,
  entries: readonly MemoryEntry[],
): Promise<readonly MemoryEntry[]> {
  if (entries.length === 0) return entries;
  const patterns = await store.entries.owned(scope, { kind: "pattern", status: ENTRY_STATUSES });
  const doomed = new Map(entries.map((entry) => [entry.entryId, entry]));
  for (let before = -1; before < doomed.size; ) {
    before = doomed.size;
    for (const pattern of patterns) {
      if (pattern.derivedFrom.some((id) => doomed.has(id))) doomed.set(pattern.entryId, pattern);
    }
  }
  return [...doomed.values()];
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
  const sessions = new Set(entries.map((entry) => entry.sessionId));
  const orphans = await store.turns.owned(scope, { ids: sources.filter((id) => !needed.has(id)) });
  const turnsOfId = new Map<string, number>();
  for (const { dialogueId } of orphans) turnsOfId.set(dialogueId, (turnsOfId.get(dialogueId) ?? 0) + 1);
  // Ids are unique within a session only: of several turns of one id, those of the entries' own sessions are meant.
  return orphans.filter((turn) => turnsOfId.get(turn.dialogueId) === 1 || sessions.has(turn.sessionId));
}

/** Turns of the log, and those that an `add` which is between its two writes has in the inbox alone. */
async function turnsOf(
  store: MemoryStore,
  scope: ExactScope,
  options: { readonly sessionId?: string; readonly ids?: readonly string[] } = {},
): Promise<readonly DialogueTurn[]> {
  const { sessionId, ids } = options;
  const wanted = ids === undefined ? null : new Set(ids);
  const [logged, ...waiting] = await Promise.all([
    store.turns.owned(scope, options),
    store.inbox.pending(scope, "extract"),
    store.inbox.pending(scope, "index"),
  ]);
  const meant = waiting
    .flat()
    .filter((turn) => (sessionId ?? turn.sessionId) === turn.sessionId && wanted?.has(turn.dialogueId) !== false);
  return eachOnce([...meant, ...logged], turnPlace);
}

/** Entries that stand on nothing else than these turns. */
export async function unprovenEntries(
  store: MemoryStore,
  scope: ExactScope,
  turns: readonly Pick<DialogueTurn, "sessionId" | "dialogueId">[],
): Promise<readonly MemoryEntry[]> {
  const ids = turns.map((turn) => turn.dialogueId);
  if (ids.length === 0) return [];
  const gone = new Set(ids);
  const sessions = new Set(turns.map((turn) => turn.sessionId));
  const cited = await store.entries.bySources(scope, ids);
  const own = await ownOf(store, scope, cited);
  return own.filter((entry) => sessions.has(entry.sessionId) && entry.sourceIds.every((id) => gone.has(id)));
}

async function ownOf(
  store: MemoryStore,
  scope: ExactScope,
  entries: readonly MemoryEntry[],
): Promise<readonly MemoryEntry[]> {
  if (scope.agentId === "" || entries.length === 0) return entries;
  return store.entries.owned(scope, { ids: entries.map((entry) => entry.entryId), status: ENTRY_STATUSES });
}

async function sharedAmong(store: MemoryStore, scope: ExactScope, ids: readonly string[]): Promise<readonly string[]> {
  if (scope.agentId === "" || ids.length === 0) return [];
  const [entries, turns] = await Promise.all([store.entries.byIds(scope, ids), store.turns.byIds(scope, ids)]);
  const readable = new Set([...entries.map((entry) => entry.entryId), ...turns.map((turn) => turn.dialogueId)]);
  return ids.filter((id) => readable.has(id));
}

async function doomedByIds(store: MemoryStore, scope: ExactScope, ids: readonly string[]): Promise<Doomed> {
  const wanted = new Set(ids);
  const named = await store.entries.owned(scope, { ids, status: ENTRY_STATUSES });
  const known = new Set(named.map((entry) => entry.entryId));
  const turns = await turnsOf(store, scope, { ids: ids.filter((id) => !known.has(id)) });
  const facts = (await store.facts.owned(scope)).filter((fact) => wanted.has(factHitId(fact)));
  const unproven = await unprovenEntries(store, scope, turns);
  const entries = await withDerived(store, scope, eachEntryOnce([...named, ...unproven]));
  const found = new Set([...known, ...turns.map((turn) => turn.dialogueId)]);
  return {
    entries,
    turns: eachOnce([...turns, ...(await orphanedTurns(store, scope, entries))], turnPlace),
    facts,
    reread: [],
    outside: await sharedAmong(
      store,
      scope,
      ids.filter((id) => !found.has(id)),
    ),
  };
}

/** Turns of other sessions that prove entries of this one, and no entry of their own. */
async function provingElsewhere(
  store: MemoryStore,
  scope: ExactScope,
  sessionId: string,
  labelled: readonly MemoryEntry[],
): Promise<readonly DialogueTurn[]> {
  const ids = [...new Set(labelled.flatMap((entry) => entry.sourceIds))];
  const elsewhere = (await store.turns.owned(scope, { ids })).filter((turn) => turn.sessionId !== sessionId);
  if (elsewhere.length === 0) return [];
  // Ids are unique within a session only: a turn that bears the id by chance has entries of its own.
  const cited = await store.entries.bySources(scope, ids);
  const own = new Set(
    cited.flatMap((entry) =>
      entry.sourceIds.map((dialogueId) => turnPlace({ sessionId: entry.sessionId, dialogueId })),
    ),
  );
  return elsewhere.filter((turn) => !own.has(turnPlace(turn)));
}

/** A session goes with its turns and facts. What another session said again is read once more there. */
async function doomedBySession(store: MemoryStore, scope: ExactScope, sessionId: string): Promise<Doomed> {
  const turns = await turnsOf(store, scope, { sessionId });
  const labelled = await store.entries.owned(scope, { sessionId, status: ENTRY_STATUSES });
  const unproven = await unprovenEntries(store, scope, turns);
  return {
    entries: await withDerived(store, scope, eachEntryOnce([...labelled, ...unproven])),
    turns,
    facts: await store.facts.owned(scope, sessionId),
    reread: await provingElsewhere(store, scope, sessionId, labelled),
    outside: [],
  };
}

async function doomedByFilter(store: MemoryStore, scope: ExactScope, filter: MemoryFilter): Promise<Doomed> {
  const found = await store.entries.owned(scope, { status: ENTRY_STATUSES, ...filter });
  const entries = await withDerived(store, scope, found);
  return { entries, turns: await orphanedTurns(store, scope, entries), facts: [], reread: [], outside: [] };
}

async function doomedAll(store: MemoryStore, scope: ExactScope): Promise<Doomed> {
  const [entries, turns, facts] = await Promise.all([
    store.entries.owned(scope, {}),
    turnsOf(store, scope),
    store.facts.owned(scope),
  ]);
  return { entries, turns, facts, reread: [], outside: [] };
}

function onlySession(filter: MemoryFilter): string | undefined {
  const given = Object.values(filter).filter((part) => part !== undefined);
  return given.length === 1 ? filter.sessionId : undefined;
}

/** What the options name, with everything that stands on it alone. */
export function selectDoomed(
  store: MemoryStore,
  scope: ExactScope,
  { ids, filter }: Pick<ForgetOptions, "ids" | "filter">,
): Promise<Doomed> {
  if (ids !== undefined) return doomedByIds(store, scope, ids);
  if (filter === undefined) return doomedAll(store, scope);
  const sessionId = onlySession(filter);
  return sessionId === undefined ? doomedByFilter(store, scope, filter) : doomedBySession(store, scope, sessionId);
}
