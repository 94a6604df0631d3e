import { isGraphBubbleUp, type NodeError } from "@langchain/langgraph";
import { indexWords } from "../language/index.js";
import type { DialogueTurn, WindowRecord } from "../records/index.js";
import { CallBudgetError, ModelUnavailableError } from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import { errorLine, withDeadline } from "./deadline.js";
import type { FailedCosts } from "./failed-costs.js";
import { heldWindow } from "./held-window.js";
import { KeptItemsWriters } from "./kept-items.js";
import type { Owner } from "./owner.js";
import { budgetOf, type NodeRuntime, report } from "./progress.js";
import type { WriteServices } from "./services.js";
import type { WriteUpdate } from "./write-state.js";

/** Known facts that are shown to the extractor. */
const NEIGHBOUR_FACTS = 10;

/** Kept as `lastError` with the whole items of a reply that was cut off: they are stored, and the window stays open. */
export const CUT_OFF = "the reply of the model was cut off";

/** Whether the window holds only the whole items of a reply that was cut off. */
export function isCutOff({ lastError }: Pick<WindowRecord, "lastError">): boolean {
  return lastError?.endsWith(CUT_OFF) ?? false;
}

/** What one `Send` carries. */
export interface ExtractTask {
  readonly scope: ExactScope;
  readonly windowId: string;
  readonly attempts: number;
}

/** The turns of a window and of its context, in the order of speech. */
export async function turnsOf(
  services: WriteServices,
  scope: ExactScope,
  window: Pick<WindowRecord, "sessionId" | "turnIds" | "contextIds">,
) {
  const found = await services.store.turns.find(scope, window.sessionId, [...window.contextIds, ...window.turnIds]);
  const ordered = [...found].sort((left, right) => left.sequence - right.sequence);
  const own = new Set(window.turnIds);
  const isOwn = (turn: DialogueTurn): boolean => own.has(turn.dialogueId);
  return { turns: ordered.filter(isOwn), context: ordered.filter((turn) => !isOwn(turn)) };
}

async function neighboursOf(services: WriteServices, scope: ExactScope, turns: readonly DialogueTurn[]) {
  const words = indexWords(turns.map((turn) => `${turn.speaker} ${turn.content.slice(0, 500)}`).join(" "));
  const found = await services.store.entries.matching(scope, words, {
    limit: NEIGHBOUR_FACTS,
    filter: { status: "active" },
    boosts: { words: 1, personWords: 1 },
  });
  return found.map(({ row }) => row.losslessRestatement);
}

/** Extracts one window and keeps its items in the ledger, so that a replay stores the same rows. */
export function createExtractNode(services: WriteServices, owner: Owner, failed: FailedCosts) {
  const writers = new KeptItemsWriters(services.store, owner.id);
  return async (task: ExtractTask, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { store, limits, clock } = services;
    const window = await heldWindow(services, owner, task.scope, task.windowId);
    if (window === undefined) return {};
    const { turns, context } = await turnsOf(services, task.scope, window);
    if (turns.length === 0) {
      // All of its turns were forgotten since it was cut.
      await store.ledger.remove(task.scope, [task.windowId]);
      return {};
    }
    const readsKnown = services.extractor.readsKnownFacts ?? true;
    const neighbours = readsKnown ? await neighboursOf(services, task.scope, turns) : [];
    const usage = failed.takeForRetry(task.windowId);
    const output = await withDeadline(
      "extract",
      limits.stageTimeoutMs,
      runtime?.signal,
      { usage, logger: services.logger, now: clock, ...budgetOf(runtime) },
      (run) =>
        services.extractor.extract(
          {
            windowId: window.windowId,
            turns,
            context,
            neighbours,
            timeZone: services.timeZone,
            ...(services.instructions === undefined ? {} : { instructions: services.instructions }),
          },
          run,
        ),
    ).catch((error: unknown) => {
      failed.keep(task.windowId, usage);
      throw error;
    });
    const kept = await writers.of(task.scope).keep({
      windowId: window.windowId,
      items: output.items,
      lastError: output.incomplete ? CUT_OFF : null,
      leaseExpiresAt: clock() + limits.leaseMs,
    });
    if (!kept) return { usage };
    report(runtime, { type: "window_extracted", windowId: window.windowId, items: output.items.length });
    return {
      extracted: [window.windowId],
      rejections: output.rejections.map((rejection) => ({ ...rejection, windowId: window.windowId })),
      openQuestions: [...output.openQuestions],
      tally: { rejected: output.rejections.length },
      usage,
    };
  };
}

/** Whether nothing was tried: the model is left alone, or the run may make no more calls. */
function wasNotTried(error: unknown): boolean {
  return error instanceof CallBudgetError || error instanceof ModelUnavailableError;
}

/** Gives a window back after a failed try: `pending` while tries are left, `failed` after the last. */
export async function giveBack(
  services: WriteServices,
  owner: Owner,
  request: {
    scope: ExactScope;
    windowId: string;
    stage: "extract" | "consolidate" | "store";
    /** The state it falls back to while tries are left. */
    state: "pending" | "extracted";
    error: unknown;
  },
): Promise<WriteUpdate> {
  const [window] = await services.store.ledger.list(request.scope, { ids: [request.windowId] });
  if (window === undefined) return {};
  const attempts = window.attempts + Number(!wasNotTried(request.error));
  const final = attempts >= services.limits.tries;
  const line = errorLine(request.error);
  // Whatever happens to it later, a window that was cut off is not taken for a whole one.
  const error = isCutOff(window) && !line.endsWith(CUT_OFF) ? `${line}; ${CUT_OFF}` : line;
  await services.store.ledger.update(request.scope, request.windowId, owner.id, {
    state: final ? "failed" : request.state,
    attempts,
    lastError: error,
    owner: null,
    leaseExpiresAt: 0,
  });
  services.logger.warn("a window could not be processed", {
    windowId: request.windowId,
    stage: request.stage,
    attempts,
  });
  // A window that a capped run did not come to has not failed.
  if (request.error instanceof CallBudgetError) return {};
  return {
    failures: [
      { windowId: request.windowId, sessionId: window.sessionId, stage: request.stage, error, attempts, final },
    ],
  };
}

/** Takes the error of one `Send`, after its retries, so that its siblings go on. */
export function createExtractErrorHandler(services: WriteServices, owner: Owner, failed: FailedCosts) {
  return async (task: ExtractTask, failure: NodeError, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { error } = failure;
    if (isGraphBubbleUp(error)) throw error;
    if (runtime?.signal?.aborted === true) throw runtime.signal.reason;
    report(runtime, { type: "window_failed", windowId: task.windowId, stage: "extract" });
    const given = await giveBack(services, owner, {
      scope: task.scope,
      windowId: task.windowId,
      stage: "extract",
      state: "pending",
      error,
    });
    return { ...given, usage: failed.take(task.windowId) };
  };
}

/** Lets go of every window that a broken-off run still holds, without counting a try. */
export async function releaseWindows(services: WriteServices, owner: Owner, scope: ExactScope): Promise<void> {
  const { ledger } = services.store;
  const held = await ledger.list(scope, { states: ["claimed", "extracted"] });
  for (const window of held.filter((one) => one.owner === owner.id)) {
    await ledger.update(scope, window.windowId, owner.id, {
      state: window.items.length > 0 ? "extracted" : "pending",
      owner: null,
      leaseExpiresAt: 0,
    });
  }
}
