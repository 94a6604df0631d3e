import { isGraphBubbleUp } from "@langchain/langgraph";
import { DEFAULT_REVIEW, emptyUsage, type WriteFailure } from "../records/index.js";
import type { Decision } from "../stages/consolidate/consolidator.js";
import { fidelityOf } from "../stages/extract/guards.js";
import { type EntryRow, type ExactScope, sharedScope } from "../store/index.js";
import { applyDecisions } from "./apply-decisions.js";
import { isFinalStoreError } from "./consolidate-node.js";
import { CUT_OFF, isCutOff } from "./cut-off.js";
import { indexPendingTurns } from "./episodic-index.js";
import { metadataOf } from "./fresh-entry.js";
import { afterFailure, giveBack } from "./give-back.js";
import { areStillHeld } from "./held-window.js";
import { lineOf, wordsAround } from "./line.js";
import type { Owner } from "./owner.js";
import { type NodeRuntime, report } from "./progress.js";
import { rowsInDoubt } from "./rows-in-doubt.js";
import type { WriteServices } from "./services.js";
import { turnsOfAll, type WindowTurns } from "./window-turns.js";
import type { ConsolidatedWindows, WriteStateType, WriteTally, WriteUpdate } from "./write-state.js";

async function writeChunkVectors(
  services: WriteServices,
  scope: ExactScope,
  { windows, chunkVectors }: ConsolidatedWindows,
): Promise<void> {
  if (Object.keys(chunkVectors).length === 0) return;
  await indexPendingTurns(services, scope);
  const waiting = windows.map(({ sessionId, turnIds }) => services.store.chunks.unembedded(scope, sessionId, turnIds));
  const rows = (await Promise.all(waiting)).flat().flatMap((chunk) => {
    const vector = chunkVectors[chunk.chunkId];
    return vector === undefined ? [] : [{ ...chunk, vector }];
  });
  if (rows.length > 0) await services.store.chunks.put(scope, rows);
}

/** What each item takes from the turns of its window: the words around it, and their metadata. */
function surroundings({ items, windowOf }: ConsolidatedWindows, read: readonly WindowTurns[]) {
  const lines = read.map(({ turns, context }) => {
    const line = lineOf([...context, ...turns]);
    return {
      line,
      position: new Map(line.turns.map((turn, index) => [turn.dialogueId, index])),
      said: new Map(line.turns.map((turn) => [turn.dialogueId, turn])),
    };
  });
  return items.map(({ item }, index) => {
    const around = lines[windowOf[index] ?? 0];
    if (around === undefined) return { contextWords: "", metadata: {} };
    const position = around.position.get(item.sourceIds[0] ?? "");
    return {
      contextWords: position === undefined ? "" : wordsAround(around.line, position, true),
      metadata: metadataOf(item, around.said),
    };
  });
}

/** Those of the entries that all agents share, as they are now: they are not held, and may have been retired or forgotten. */
async function sharedAmong(
  { store }: WriteServices,
  scope: ExactScope,
  targets: readonly string[],
): Promise<ReadonlySet<string>> {
  if (scope.agentId === "" || targets.length === 0) return new Set();
  const found = await store.entries.byIds(sharedScope(scope), targets);
  return new Set(found.filter(({ status }) => status === "active").map(({ entryId }) => entryId));
}

/** How far back the history of an attribute is looked up: each step is a read, and made for words alone that come late. */
const MAX_FORMER = 8;

/**
 * What decisions may change: the entries that they name, the windows' own on a replay, and what was ended by an entry under which
 * something older is filed.
 */
async function knownRows(
  { store }: WriteServices,
  scope: ExactScope,
  { decisions, replayed }: ConsolidatedWindows,
): Promise<readonly EntryRow[]> {
  const known = await store.entries.rows(scope, [...targetsOf(decisions), ...replayed]);
  const late = new Set(targetsOf(decisions.filter(({ op }) => op === "superseded_by")));
  const all = new Map(known.map((row) => [row.entry.entryId, row]));
  let open = known.filter(({ entry }) => late.has(entry.entryId));
  for (let step = 0; step < MAX_FORMER && open.length > 0; step += 1) {
    const ids = open.flatMap(({ entry }) => entry.supersedes).filter((id) => !all.has(id));
    open = ids.length === 0 ? [] : [...(await store.entries.rows(scope, ids))];
    for (const row of open) all.set(row.entry.entryId, row);
  }
  return [...all.values()];
}

function targetsOf(decisions: readonly Decision[]): string[] {
  return decisions.flatMap((decision) => (decision.op === "add" ? [] : [decision.target]));
}

async function writeEntries(
  services: WriteServices,
  scope: ExactScope,
  work: ConsolidatedWindows,
): Promise<Partial<WriteTally>> {
  const read = await turnsOfAll(services, scope, work.windows);
  const around = surroundings(work, read);
  const now = new Date(services.clock()).toISOString();
  const { rows, counts } = applyDecisions({
    items: work.items,
    decisions: work.decisions,
    vectors: work.vectors,
    mergedVectors: work.mergedVectors,
    contextWords: around.map(({ contextWords }) => contextWords),
    metadata: around.map(({ metadata }) => metadata),
    known: await knownRows(services, scope, work),
    shared: await sharedAmong(services, scope, targetsOf(work.decisions)),
    sessionIds: work.windowOf.map((window) => work.windows[window]?.sessionId ?? ""),
    now,
    embeddingModel: services.embedder.name,
    extractedBy: services.extractor.by ?? "stage",
    decidedBy: work.decidedBy,
    review: services.review ?? DEFAULT_REVIEW,
    ...(services.expireAfterDays === undefined ? {} : { expireAfterDays: services.expireAfterDays }),
  });
  // New rows and retired ones go in one commit: at no moment are both missing.
  const doubtful = await rowsInDoubt(services, scope, rows, now);
  const written = new Map([...rows, ...doubtful].map((row) => [row.entry.entryId, row]));
  if (written.size > 0) await services.store.entries.put(scope, [...written.values()]);
  return { ...counts, ...measured(services, work, read) };
}

/** How much of the words was kept, and how short they became. */
function measured(services: WriteServices, work: ConsolidatedWindows, read: readonly WindowTurns[]) {
  const tokens = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + services.countTokens(text), 0);
  const sums = { kept: 0, total: 0, tokensIn: 0, tokensOut: 0 };
  for (const [window, { turns }] of read.entries()) {
    const items = work.items.filter((_, index) => work.windowOf[index] === window).map(({ item }) => item);
    const { kept, total } = fidelityOf(turns, items);
    sums.kept += kept;
    sums.total += total;
    sums.tokensIn += tokens(turns.map((turn) => turn.content));
    sums.tokensOut += tokens(items.map((item) => item.losslessRestatement));
  }
  return sums;
}

/** The windows are stored, in one write; those of which only a part was read stay open. */
async function finishWindows(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  { windows }: ConsolidatedWindows,
): Promise<WriteUpdate> {
  const whole = windows.filter((window) => !isCutOff(window)).map(({ windowId }) => windowId);
  if (whole.length > 0) {
    const change = { state: "stored", lastError: null, owner: null, leaseExpiresAt: 0 } as const;
    await services.store.ledger.updateAll(scope, whole, owner.id, change);
  }
  const failures: WriteFailure[] = [];
  for (const { windowId } of windows.filter(isCutOff)) {
    const error = new Error(CUT_OFF);
    const given = await giveBack(services, owner, { scope, windowId, stage: "extract", state: "pending", error });
    failures.push(...(given.failures ?? []));
  }
  return { failures, tally: { windowsStored: whole.length } };
}

/** Writes what the consolidate node decided, then advances the ledger, then lets the scope go, or passes it on to the next windows. */
export function createStoreNode(services: WriteServices, owner: Owner) {
  return async (state: WriteStateType, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { scope, runId, consolidated: work, queue } = state;
    if (work === null) return {};
    const started = services.clock();
    const windowIds = work.windows.map(({ windowId }) => windowId);
    try {
      // Forgotten, or taken over, while the model was thinking: what it said is dropped.
      if (!(await areStillHeld(services, owner, scope, work.windows))) return afterLoss(state, windowIds);
      await writeChunkVectors(services, scope, work);
      const tally = await writeEntries(services, scope, work);
      const finished = await finishWindows(services, owner, scope, work);
      for (const windowId of windowIds) report(runtime, { type: "window_stored", windowId, remaining: queue.length });
      const usage = { ...emptyUsage(), ms: { store: services.clock() - started } };
      return { ...finished, consolidated: null, tally: { ...tally, ...finished.tally }, usage };
    } catch (error) {
      if (isGraphBubbleUp(error) || isFinalStoreError(error) || runtime?.signal?.aborted === true) throw error;
      const failed = { windowIds, queue, stage: "store", error } as const;
      return { ...(await afterFailure(services, owner, state, failed, runtime)), consolidated: null };
    } finally {
      await (state.queue.length > 0 ? services.locks.pass(runId) : services.locks.unlock(runId));
    }
  };
}

/** Of several windows the others are taken once more, one by one: which of them is gone is seen then. */
function afterLoss({ queue }: WriteStateType, windowIds: readonly string[]): WriteUpdate {
  if (windowIds.length === 1) return { consolidated: null };
  return { consolidated: null, queue: [...windowIds, ...queue], alone: windowIds.length };
}
