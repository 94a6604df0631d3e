import { isGraphBubbleUp, type NodeError } from "@langchain/langgraph";
import { indexWords } from "../language/index.js";
import type { DialogueTurn, Usage, WindowRecord } from "../records/index.js";
import type { ExtractOutput } from "../stages/extract/extractor.js";
import type { ExactScope } from "../store/index.js";
import { CUT_OFF } from "./cut-off.js";
import { withDeadline } from "./deadline.js";
import type { FailedCosts } from "./failed-costs.js";
import { Gate } from "./gate.js";
import { giveBack } from "./give-back.js";
import { heldWindow } from "./held-window.js";
import { type KeptItemsWriter, KeptItemsWriters } from "./kept-items.js";
import type { Owner } from "./owner.js";
import { budgetOf, type NodeRuntime, report } from "./progress.js";
import type { WriteServices } from "./services.js";
import { turnsOf } from "./window-turns.js";
import type { WriteUpdate } from "./write-state.js";

/** Known facts that are shown to the extractor. */
const NEIGHBOUR_FACTS = 10;

/** What one `Send` carries. */
export interface ExtractTask {
  readonly scope: ExactScope;
  readonly windowId: string;
  readonly attempts: number;
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

/** What a window gave. */
interface Extracted {
  readonly window: WindowRecord;
  readonly output: ExtractOutput;
  readonly usage: Usage;
}

/** Reads one window and extracts it; undefined when there is nothing of it any more. */
async function extractWindow(
  services: WriteServices,
  owner: Owner,
  failed: FailedCosts,
  task: ExtractTask,
  runtime?: NodeRuntime,
): Promise<Extracted | undefined> {
  const { store, limits, clock, timeZone, instructions } = services;
  const window = await heldWindow(services, owner, task.scope, task.windowId);
  if (window === undefined) return undefined;
  const { turns, context } = await turnsOf(services, task.scope, window);
  if (turns.length === 0) {
    // All of its turns were forgotten since it was cut.
    await store.ledger.remove(task.scope, [task.windowId]);
    return undefined;
  }
  const readsKnown = services.extractor.readsKnownFacts ?? true;
  const neighbours = readsKnown ? await neighboursOf(services, task.scope, turns) : [];
  const usage = failed.takeForRetry(task.windowId);
  const asked = { windowId: window.windowId, turns, context, neighbours, timeZone };
  const output = await withDeadline(
    "extract",
    limits.stageTimeoutMs,
    runtime?.signal,
    { usage, logger: services.logger, now: clock, ...budgetOf(runtime) },
    (run) => services.extractor.extract({ ...asked, ...(instructions === undefined ? {} : { instructions }) }, run),
  ).catch((error: unknown) => {
    failed.keep(task.windowId, usage);
    throw error;
  });
  return { window, output, usage };
}

/** Extracts one window, as soon as the gate lets it, and keeps its items in the ledger, so that a replay stores the same rows. */
export function createExtractNode(services: WriteServices, owner: Owner, failed: FailedCosts) {
  const writers = new KeptItemsWriters(services.store, owner.id);
  const gate = new Gate(services.limits.maxConcurrency);

  async function keepExtracted(
    writer: KeptItemsWriter,
    { window: { windowId }, output, usage }: Extracted,
    runtime?: NodeRuntime,
  ): Promise<WriteUpdate> {
    const isHeld = await writer.keep({
      windowId,
      items: output.items,
      lastError: output.incomplete ? CUT_OFF : null,
      leaseExpiresAt: services.clock() + services.limits.leaseMs,
    });
    if (!isHeld) return { usage };
    report(runtime, { type: "window_extracted", windowId, items: output.items.length });
    return {
      extracted: [windowId],
      rejections: output.rejections.map((rejection) => ({ ...rejection, windowId })),
      openQuestions: [...output.openQuestions],
      tally: { rejected: output.rejections.length },
      usage,
    };
  }

  return (task: ExtractTask, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const writer = writers.of(task.scope);
    return writer.during(async () => {
      const extracted = await gate.run(() => extractWindow(services, owner, failed, task, runtime));
      return extracted === undefined ? {} : keepExtracted(writer, extracted, runtime);
    });
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
