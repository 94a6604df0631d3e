import {
  changesOf,
  type DialogueTurn,
  type EntryVersion,
  firstChange,
  type Json,
  type MemoryEntry,
  type Metadata,
  versionsOf,
} from "../records/index.js";
import type { EntryRow, ExactScope, MemoryStore } from "../store/index.js";

/** What is forgotten of one entry's proof. */
interface Loss {
  readonly gone: ReadonlySet<string>;
  /** `key: value` pairs that only forgotten turns gave. */
  readonly metadata: ReadonlySet<string>;
}

function pair(key: string, value: Json): string {
  return JSON.stringify([key, value]);
}

function pairsOf(turns: readonly DialogueTurn[]): ReadonlySet<string> {
  return new Set(turns.flatMap(({ metadata }) => Object.entries(metadata).map(([key, value]) => pair(key, value))));
}

function keptMetadata(metadata: Metadata, loss: Loss): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key, value]) => !loss.metadata.has(pair(key, value))));
}

function keptIds(ids: readonly string[], { gone }: Loss): readonly string[] {
  return ids.filter((id) => !gone.has(id));
}

function keptEntry(entry: MemoryEntry, loss: Loss): MemoryEntry {
  return {
    ...entry,
    sourceIds: keptIds(entry.sourceIds, loss),
    metadata: keptMetadata(entry.metadata, loss),
  };
}

/** The versions that other turns still prove, without a trace of the forgotten ones. */
function keptVersions(versions: readonly EntryVersion[], loss: Loss): readonly EntryVersion[] {
  return versions
    .filter(({ entry }, index) => index === versions.length - 1 || keptIds(entry.sourceIds, loss).length > 0)
    .map((version) => ({
      ...version,
      turnIds: keptIds(version.turnIds, loss),
      entry: keptEntry(version.entry, loss),
    }));
}

function withoutProof({ entry, changes, ...search }: EntryRow, loss: Loss, now: string): EntryRow {
  const kept = changesOf(keptVersions(versionsOf(entry, changes), loss));
  if (keptIds(entry.sourceIds, loss).length === entry.sourceIds.length) return { ...search, entry, changes: kept };
  // What is gone is not named: neither the turn nor what it gave.
  const noted = firstChange({
    op: "forgotten",
    at: now,
    by: "user",
    turnIds: [],
    reason: "a turn that proved it was forgotten",
    related: [],
  });
  return { ...search, entry: { ...keptEntry(entry, loss), updatedAt: now }, changes: [...kept, noted] };
}

async function lossOf(
  store: MemoryStore,
  scope: ExactScope,
  { entry }: EntryRow,
  turns: readonly DialogueTurn[],
): Promise<Loss> {
  const ids = turns.map((turn) => turn.dialogueId);
  // Ids are unique within a session only: a turn of the same id may still stand in the entry's own.
  const standing = new Set((await store.turns.find(scope, entry.sessionId, ids)).map((turn) => turn.dialogueId));
  const lost = turns.filter((turn) => !standing.has(turn.dialogueId));
  const gone = new Set(lost.map((turn) => turn.dialogueId));
  const left = pairsOf(await store.turns.byIds(scope, keptIds(entry.sourceIds, { gone, metadata: new Set() })));
  const metadata = new Set([...pairsOf(lost)].filter((one) => !left.has(one)));
  return { gone, metadata };
}

/**
 * Entries that keep other proof lose the forgotten turns: from their sources, their metadata, and from every version of their
 * history, of which those that stood on these turns alone go.
 * @param turns what was forgotten; the log no longer holds it
 */
export async function dropProof(
  store: MemoryStore,
  scope: ExactScope,
  turns: readonly DialogueTurn[],
  now: string,
): Promise<void> {
  const ids = turns.map((turn) => turn.dialogueId);
  const standing = await store.entries.bySources(scope, ids);
  const rows = await store.entries.rows(
    scope,
    standing.map((entry) => entry.entryId),
  );
  const changed: EntryRow[] = [];
  for (const row of rows) {
    const loss = await lossOf(store, scope, row, turns);
    if (loss.gone.size > 0) changed.push(withoutProof(row, loss, now));
  }
  if (changed.length > 0) await store.entries.put(scope, changed);
}
