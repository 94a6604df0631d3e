import {
  changesOf,
  type DialogueTurn,
  type EntryVersion,
  firstChange,
  type Json,
  type Metadata,
  turnPlace,
  versionsOf,
} from "../records/index.js";
import type { EntryRow, ExactScope, MemoryStore } from "../store/index.js";
import { type Kept, keptHistory, keptIds, type Loss } from "./kept-history.js";
import { rewrittenRow } from "./rewritten-row.js";

/** What entries lose their proof with. */
export interface ProofContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** The vector of a text, by the embedder of the store. */
  readonly embed: (text: string) => Promise<readonly number[]>;
}

function pair(key: string, value: Json): string {
  return JSON.stringify([key, value]);
}

function pairsOf(turns: readonly DialogueTurn[]): ReadonlySet<string> {
  return new Set(turns.flatMap(({ metadata }) => Object.entries(metadata).map(([key, value]) => pair(key, value))));
}

function isKeptPair(pairs: ReadonlySet<string>): Loss["keeps"] {
  return (metadata: Metadata) =>
    Object.fromEntries(Object.entries(metadata).filter(([key, value]) => !pairs.has(pair(key, value))));
}

async function lossOf(
  { store, scope }: ProofContext,
  { entry }: EntryRow,
  turns: readonly DialogueTurn[],
): Promise<Loss> {
  const doomed = new Set(turns.map(turnPlace));
  const stays = (turn: DialogueTurn): boolean => !doomed.has(turnPlace(turn));
  const ids = turns.map((turn) => turn.dialogueId);
  // Ids are unique within a session only: a turn of the same id may still stand in the entry's own.
  const own = (await store.turns.find(scope, entry.sessionId, ids)).filter(stays);
  const standing = new Set(own.map((turn) => turn.dialogueId));
  const lost = turns.filter((turn) => !standing.has(turn.dialogueId));
  const gone = new Set(lost.map((turn) => turn.dialogueId));
  const left = pairsOf((await store.turns.byIds(scope, keptIds(entry.sourceIds, gone))).filter(stays));
  const onlyLost = new Set([...pairsOf(lost)].filter((one) => !left.has(one)));
  return { gone, keeps: isKeptPair(onlyLost) };
}

/** What is gone is not named: neither the turn nor what it gave. */
function noted({ versions }: Kept, now: string) {
  const note = firstChange({
    op: "forgotten",
    at: now,
    by: "user",
    turnIds: [],
    reason: "a turn that proved it was forgotten",
    related: [],
  });
  return [...changesOf(versions), note];
}

async function withoutProof(context: ProofContext, row: EntryRow, loss: Loss): Promise<EntryRow> {
  const versions: readonly EntryVersion[] = versionsOf(row.entry, row.changes);
  const kept = keptHistory(versions, loss);
  const isProof = row.entry.sourceIds.some((id) => loss.gone.has(id));
  if (!isProof) return { ...row, changes: changesOf(kept.versions) };
  const entry = { ...kept.entry, updatedAt: context.now };
  return { ...(await rewrittenRow(row, entry, context.embed)), changes: noted(kept, context.now) };
}

/**
 * The rows of entries that keep other proof when these turns go, without them: in their sources, their metadata, and every
 * version of their history. What such a turn added to an entry goes with it.
 * @param turns what is about to be forgotten
 * @param doomedIds entries that go as a whole
 */
export async function rowsWithoutProof(
  context: ProofContext,
  turns: readonly DialogueTurn[],
  doomedIds: readonly string[],
): Promise<readonly EntryRow[]> {
  const { store, scope } = context;
  if (turns.length === 0) return [];
  const standing = await store.entries.bySources(
    scope,
    turns.map((turn) => turn.dialogueId),
  );
  const doomed = new Set(doomedIds);
  const ids = standing.map((entry) => entry.entryId).filter((id) => !doomed.has(id));
  const changed: EntryRow[] = [];
  for (const row of await store.entries.rows(scope, ids)) {
    const loss = await lossOf(context, row, turns);
    if (loss.gone.size > 0) changed.push(await withoutProof(context, row, loss));
  }
  return changed;
}
