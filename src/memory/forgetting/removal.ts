import { bySession, type DialogueTurn, type ForgetReceipt, type MemoryEntry, versionsOf } from "../../records/index.js";
import { type EntryRow, factId, type MemoryStore } from "../../store/index.js";
import { type ProofContext, rowsWithoutProof } from "../drop-proof.js";
import { unprovenEntries, withDerived } from "./doomed.js";
import { leaningOn } from "./leaning.js";
import { clearLedger, type SessionLedger } from "./ledger.js";
import { type ForgetPlan, inStatements, type SessionTurns } from "./plan.js";
import { clearNeighbours, type Standing, standingRows } from "./standing.js";

export type Removed = ForgetReceipt["removed"];

/** All that is known before the first row goes. */
interface Prepared {
  readonly plan: ForgetPlan;
  readonly standing: Standing;
  readonly texts: ReadonlySet<string>;
  readonly sessions: readonly SessionLedger[];
}

async function loggedTurns({ store, scope }: ProofContext, turns: readonly SessionTurns[]) {
  const found: DialogueTurn[] = [];
  for (const { sessionId, ids } of turns) found.push(...(await store.turns.owned(scope, { sessionId, ids })));
  return found;
}

function grouped(turns: readonly DialogueTurn[]): readonly SessionTurns[] {
  return [...bySession(turns)].map(([sessionId, group]) => ({ sessionId, ids: group.map((turn) => turn.dialogueId) }));
}

/** The plan with the entries that come to stand on nothing, and the rows that keep other proof, without this one. */
interface Extended {
  readonly plan: ForgetPlan;
  readonly proven: ReadonlyMap<string, EntryRow>;
}

/**
 * Asked anew also for a plan that another process left: between its steps a window may have been stored that stands on what
 * goes.
 */
async function extended(context: ProofContext, plan: ForgetPlan, turns: readonly DialogueTurn[]): Promise<Extended> {
  const { store, scope } = context;
  if (plan.all) {
    const entries = await store.entries.owned(scope, {});
    return { plan: { ...plan, entryIds: entries.map((entry) => entry.entryId) }, proven: new Map() };
  }
  const places = plan.turns.flatMap(({ sessionId, ids }) => ids.map((dialogueId) => ({ sessionId, dialogueId })));
  const unproven = await unprovenEntries(store, scope, places);
  const doomed = new Set([...plan.entryIds, ...unproven.map((entry) => entry.entryId)]);
  const proven = new Map<string, EntryRow>();
  for (const row of await rowsWithoutProof(context, turns, [...doomed])) proven.set(row.entry.entryId, row);
  const leaning = await leaningOn(context, turns, proven);
  for (const row of leaning.cleaned) proven.set(row.entry.entryId, row);
  const leans = await store.entries.owned(scope, { ids: leaning.entryIds });
  for (const { entryId } of await withDerived(store, scope, leans)) doomed.add(entryId);
  const reread = [...plan.reread, ...grouped(leaning.reread)];
  return { plan: { ...plan, entryIds: [...doomed], reread }, proven };
}

/** Which turns of each session go, are read once more, or prove an entry that goes. */
function ledgerSessions(plan: ForgetPlan, entries: readonly MemoryEntry[]): readonly SessionLedger[] {
  const idsOf = (turns: readonly SessionTurns[], session: string): ReadonlySet<string> =>
    new Set(turns.filter(({ sessionId }) => sessionId === session).flatMap(({ ids }) => ids));
  const sessions = new Set([...plan.turns, ...plan.reread, ...entries].map(({ sessionId }) => sessionId));
  return [...sessions].map((sessionId) => ({
    sessionId,
    gone: idsOf(plan.turns, sessionId),
    reread: idsOf(plan.reread, sessionId),
    touched: entries.filter((entry) => entry.sessionId === sessionId).flatMap((entry) => entry.sourceIds),
  }));
}

/** How many entries a plan comes to remove. */
export async function countEntries(context: ProofContext, plan: ForgetPlan): Promise<number> {
  const { plan: whole } = await extended(context, plan, await loggedTurns(context, plan.turns));
  return whole.entryIds.length;
}

/** Made before anything is removed: the embedder may fail. */
export async function prepare(context: ProofContext, begun: ForgetPlan): Promise<Prepared> {
  const { store, scope } = context;
  const turns = await loggedTurns(context, begun.turns);
  const { plan, proven } = await extended(context, begun, turns);
  const rows = await store.entries.histories(scope, plan.entryIds);
  const entries = rows.map(({ entry }) => entry);
  const versions = rows.flatMap(({ entry, changes }) => versionsOf(entry, changes));
  return {
    plan,
    standing: plan.all ? { entries: [], lines: new Map() } : await standingRows(context, turns, entries, proven),
    texts: new Set(versions.map(({ entry }) => entry.losslessRestatement)),
    sessions: ledgerSessions(plan, entries),
  };
}

/** Buried first: whatever is under way can no longer bring them back. */
async function bury({ tombstones }: MemoryStore, { scope, turns, entryIds, facts }: ForgetPlan): Promise<void> {
  for (const { sessionId, ids } of turns) await tombstones.bury(scope, sessionId, ids);
  await tombstones.buryMade(scope, "entry", entryIds);
  await tombstones.buryMade(scope, "fact", facts.map(factId));
}

async function removeWork({ store, scope }: ProofContext, { plan, texts, sessions }: Prepared): Promise<number> {
  let windows = 0;
  for (const session of sessions) windows += await clearLedger({ store, scope, plan, texts }, session);
  if (plan.all) {
    windows += await store.ledger.removeAll(scope);
    await store.runs.removeAll(scope);
    await store.costs.removeAll(scope);
  }
  for (const { sessionId, ids } of plan.turns) await store.inbox.remove(scope, sessionId, ids);
  return windows;
}

async function removeEntries({ store, scope }: ProofContext, { plan, standing }: Prepared): Promise<number> {
  if (standing.entries.length > 0) await store.entries.put(scope, standing.entries);
  let count = 0;
  for (const ids of inStatements(plan.entryIds)) count += await store.entries.remove(scope, ids);
  return count;
}

/**
 * Carries a plan out. Work that could make entries again goes first, then what stands on the turns, the turns last: at no
 * moment is an entry there without its proof, and who comes upon a plan that was broken off can do it all again.
 */
export async function carryOut(context: ProofContext, prepared: Prepared): Promise<Removed> {
  const { store, scope } = context;
  const { plan, standing } = prepared;
  await bury(store, plan);
  const windows = await removeWork(context, prepared);
  const entries = await removeEntries(context, prepared);
  let facts = 0;
  for (const { sessionId, key } of plan.facts) facts += Number(await store.facts.remove(scope, sessionId, key));
  await clearNeighbours(context, standing);
  let turns = 0;
  for (const { sessionId, ids } of plan.turns) {
    await store.chunks.remove(scope, sessionId, ids);
    turns += await store.turns.remove(scope, sessionId, ids);
  }
  return { entries, turns, facts, windows };
}
