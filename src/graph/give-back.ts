import { CallBudgetError, ModelUnavailableError, type WriteFailure } from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import { CUT_OFF, isCutOff } from "./cut-off.js";
import { errorLine } from "./deadline.js";
import type { Owner } from "./owner.js";
import { type NodeRuntime, report } from "./progress.js";
import type { WriteServices } from "./services.js";
import type { WriteStateType, WriteUpdate } from "./write-state.js";

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
): Promise<{ failures?: WriteFailure[] }> {
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
    updatedAt: new Date(services.clock()).toISOString(),
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

/**
 * What becomes of windows that were taken together when that failed: each is tried once more by itself, so that one cannot
 * fail the others. A window that was alone is given back.
 */
export async function afterFailure(
  services: WriteServices,
  owner: Owner,
  { scope }: Pick<WriteStateType, "scope">,
  failed: {
    readonly windowIds: readonly string[];
    /** The windows after them. */
    readonly queue: readonly string[];
    readonly stage: "consolidate" | "store";
    readonly error: unknown;
  },
  runtime?: NodeRuntime,
): Promise<WriteUpdate> {
  const { windowIds, queue, stage, error } = failed;
  const [windowId, ...more] = windowIds;
  if (windowId === undefined) throw error;
  if (more.length > 0) return { queue: [...windowIds, ...queue], alone: windowIds.length };
  report(runtime, { type: "window_failed", windowId, stage });
  const given = await giveBack(services, owner, { scope, windowId, stage, state: "extracted", error });
  return { ...given, queue: [...queue] };
}
