import { addUsage, emptyUsage } from "../records/index.js";
import type { NodeRuntime } from "./progress.js";
import { createPlanNode, createRetrieveNode } from "./read-nodes.js";
import type { ReadStateType } from "./read-state.js";
import type { ReadServices } from "./services.js";

/** What a read begins with. */
export type ReadInput = Pick<ReadStateType, "scope" | "question" | "options" | "recent">;

type Node = (state: ReadStateType, runtime: NodeRuntime) => Promise<Partial<ReadStateType>>;

/** Variables by which LangChain is told to trace every run. */
const TRACING = ["LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING"];

/** True when somebody watches runs from outside, so that they must be runs. */
export function isTraced(): boolean {
  return TRACING.some((name) => process.env[name] === "true");
}

function startOf(input: ReadInput): ReadStateType {
  return {
    ...input,
    wantsAnswer: false,
    streamsAnswer: false,
    currentPlan: null,
    hits: [],
    rounds: 0,
    exhausted: false,
    nextQueries: [],
    degraded: null,
    reply: null,
    brokenOff: null,
    usage: emptyUsage(),
  };
}

/** What work gives, unless the signal aborts first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/**
 * The read graph's way from a question to hits where nothing is judged and nothing answered: plan → retrieve, by the same nodes.
 * The bookkeeping of a graph takes as long as such a search itself.
 */
export function createStraightRead(services: ReadServices) {
  const way: readonly Node[] = [createPlanNode(services), createRetrieveNode(services)];
  const walk = async (input: ReadInput, runtime: NodeRuntime): Promise<ReadStateType> => {
    let state = startOf(input);
    for (const node of way) {
      runtime.signal?.throwIfAborted();
      const update = await node(state, runtime);
      const usage = update.usage === undefined ? state.usage : addUsage(state.usage, update.usage);
      state = { ...state, ...update, usage };
    }
    return state;
  };
  return (input: ReadInput, signal?: AbortSignal): Promise<ReadStateType> =>
    signal === undefined ? walk(input, {}) : unlessAborted(walk(input, { signal }), signal);
}
