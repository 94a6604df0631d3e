import { isGraphBubbleUp } from "@langchain/langgraph";
import { DEFAULT_REVIEW, emptyUsage } from "../records/index.js";
import { fidelityOf } from "../stages/extract/guards.js";
import type { ExactScope } from "../store/index.js";
import { applyDecisions } from "./apply-decisions.js";
import { isFinalStoreError } from "./consolidate-node.js";
import { lineOf, wordsAround } from "./episodic-index.js";
import { CUT_OFF, giveBack, isCutOff, turnsOf } from "./extract-node.js";
import { metadataOf } from "./fresh-entry.js";
import { isStillHeld } from "./held-window.js";
import type { Owner } from "./owner.js";
import { type NodeRuntime, report } from "./progress.js";
import type { WriteServices } from "./services.js";
import type { ConsolidatedWindow, WriteStateType, WriteTally, WriteUpdate } from "./write-state.js";

async function writeChunkVectors(
  services: WriteServices,
  scope: ExactScope,
  window: ConsolidatedWindow["window"],
  work: ConsolidatedWindow,
): Promise<void> {
  if (Object.keys(work.chunkVectors).length === 0) return;
  const waiting = await services.store.chunks.unembedded(scope, window.sessionId, window.turnIds);
  const rows = waiting.flatMap((chunk) => {
    const vector = work.chunkVectors[chunk.chunkId];
    return vector === undefined ? [] : [{ ...chunk, vector }];
  });
  if (rows.length > 0) await services.store.chunks.put(scope, rows);
}

async function writeEntries(
  services: WriteServices,
  scope: ExactScope,
  window: ConsolidatedWindow["window"],
  work: ConsolidatedWindow,
): Promise<Partial<WriteTally>> {
  const { turns, context } = await turnsOf(services, scope, window);
  const line = lineOf([...context, ...turns]);
  const position = new Map(line.turns.map((turn, index) => [turn.dialogueId, index]));
  const said = new Map(line.turns.map((turn) => [turn.dialogueId, turn]));
  const targets = work.decisions.flatMap((decision) => (decision.op === "add" ? [] : [decision.target]));
  const { rows, counts } = applyDecisions({
    items: work.items,
    decisions: work.decisions,
    vectors: work.vectors,
    mergedVectors: work.mergedVectors,
    contextWords: work.items.map(({ item }) => wordsAround(line, position.get(item.sourceIds[0] ?? "") ?? -10, true)),
    metadata: work.items.map(({ item }) => metadataOf(item, said)),
    known: await services.store.entries.rows(scope, [...targets, ...work.replayed]),
    sessionId: window.sessionId,
    now: new Date(services.clock()).toISOString(),
    embeddingModel: services.embedder.name,
    extractedBy: services.extractor.by ?? "stage",
    decidedBy: work.decidedBy,
    review: services.review ?? DEFAULT_REVIEW,
    ...(services.expireAfterDays === undefined ? {} : { expireAfterDays: services.expireAfterDays }),
  });
  // New rows and retired ones go in one commit: at no moment are both missing.
  if (rows.length > 0) await services.store.entries.put(scope, rows);
  const items = work.items.map(({ item }) => item);
  const tokens = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + services.countTokens(text), 0);
  return {
    ...counts,
    ...fidelityOf(turns, items),
    tokensIn: tokens(turns.map((turn) => turn.content)),
    tokensOut: tokens(items.map((item) => item.losslessRestatement)),
  };
}

async function finishWindow(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  window: ConsolidatedWindow["window"],
): Promise<WriteUpdate> {
  if (isCutOff(window)) {
    const error = new Error(CUT_OFF);
    return giveBack(services, owner, { scope, windowId: window.windowId, stage: "extract", state: "pending", error });
  }
  await services.store.ledger.update(scope, window.windowId, owner.id, {
    state: "stored",
    lastError: null,
    owner: null,
    leaseExpiresAt: 0,
  });
  return { tally: { windowsStored: 1 } };
}

/** Writes what the consolidate node decided, then advances the ledger, then lets the scope go, or passes it on to the next window. */
export function createStoreNode(services: WriteServices, owner: Owner) {
  return async (state: WriteStateType, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { scope, runId, consolidated: work } = state;
    if (work === null) return {};
    const started = services.clock();
    try {
      const { window } = work;
      // Forgotten, or taken over, while the model was thinking: what it said is dropped.
      if (!(await isStillHeld(services, owner, scope, window))) return { consolidated: null };
      await writeChunkVectors(services, scope, window, work);
      const tally = await writeEntries(services, scope, window, work);
      const finished = await finishWindow(services, owner, scope, window);
      report(runtime, { type: "window_stored", windowId: window.windowId, remaining: state.queue.length });
      const usage = { ...emptyUsage(), ms: { store: services.clock() - started } };
      return { ...finished, consolidated: null, tally: { ...tally, ...finished.tally }, usage };
    } catch (error) {
      if (isGraphBubbleUp(error) || isFinalStoreError(error) || runtime?.signal?.aborted === true) throw error;
      report(runtime, { type: "window_failed", windowId: work.window.windowId, stage: "store" });
      const { windowId } = work.window;
      const failed = await giveBack(services, owner, { scope, windowId, stage: "store", state: "extracted", error });
      return { ...failed, consolidated: null };
    } finally {
      await (state.queue.length > 0 ? services.locks.pass(runId) : services.locks.unlock(runId));
    }
  };
}
