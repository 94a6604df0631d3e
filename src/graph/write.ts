import { setMaxListeners } from "node:events";
import { END, Send, START, StateGraph } from "@langchain/langgraph";
import { createConsolidateNode } from "./consolidate-node.js";
import { isTransient } from "./deadline.js";
import { createExtractErrorHandler, createExtractNode, type ExtractTask } from "./extract-node.js";
import { FailedCosts } from "./failed-costs.js";
import type { Owner } from "./owner.js";
import type { NodeRuntime } from "./progress.js";
import type { WriteServices } from "./services.js";
import { createStoreNode } from "./store-node.js";
import { createWindowNode } from "./window-node.js";
import { WriteState, type WriteStateType, type WriteUpdate } from "./write-state.js";

/** Tries of one call within a flush, for errors that may be over in a moment. */
const QUICK_TRIES = 2;
// The loop over the windows is bounded by the queue, which only shrinks; LangGraph's own limit would cut long imports.
export const RECURSION_LIMIT = 100_000;

function extractAll(state: WriteStateType): Send[] | "order" {
  const done = new Set(state.extracted);
  const waiting = state.claimed.filter(({ windowId }) => !done.has(windowId));
  if (waiting.length === 0) return "order";
  return waiting.map(
    ({ windowId, attempts }) => new Send("extract", { scope: state.scope, windowId, attempts } satisfies ExtractTask),
  );
}

/**
 * LangGraph listens to the signal of a step once for each of its tasks. Node takes more than ten listeners for a leak and
 * warns, unless it is told that so many are meant.
 */
function expectManyListeners(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal);
}

/** Parallel extraction ends in any order; what is stored goes in the order of speech. */
function order(state: WriteStateType): WriteUpdate {
  const extracted = new Set(state.extracted);
  return { queue: state.claimed.map(({ windowId }) => windowId).filter((id) => extracted.has(id)) };
}

/**
 * The write graph: window → extract (one `Send` per window) → order → consolidate ⇄ store. Invoke it with
 * `{ scope: { tenantId, userId, agentId }, runId }`. Within a node of a host it inherits the host's limit of steps, and takes
 * two for each window: hand it a `recursionLimit` of its own there, as `createRememberGraph` does.
 */
export function createWriteGraph(services: WriteServices, owner: Owner) {
  const failed = new FailedCosts();
  const extract = createExtractNode(services, owner, failed);
  const extractOne = (task: ExtractTask, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    expectManyListeners(runtime?.signal);
    return extract(task, runtime);
  };
  return new StateGraph(WriteState)
    .addNode("window", createWindowNode(services, owner))
    .addNode("extract", extractOne, {
      retryPolicy: { maxAttempts: QUICK_TRIES, initialInterval: 400, retryOn: isTransient, logWarning: false },
      errorHandler: createExtractErrorHandler(services, owner, failed),
    })
    .addNode("order", order)
    .addNode("consolidate", createConsolidateNode(services, owner))
    .addNode("store", createStoreNode(services, owner))
    .addEdge(START, "window")
    .addConditionalEdges("window", extractAll, ["extract", "order"])
    .addEdge("extract", "order")
    .addConditionalEdges("order", (state) => (state.queue.length > 0 ? "consolidate" : END), ["consolidate", END])
    .addEdge("consolidate", "store")
    .addConditionalEdges("store", (state) => (state.queue.length > 0 ? "consolidate" : END), ["consolidate", END])
    .compile({ name: "simplemem_write" })
    .withConfig({ recursionLimit: RECURSION_LIMIT });
}
