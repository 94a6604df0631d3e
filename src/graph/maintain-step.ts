import { randomUUID } from "node:crypto";
import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  emptyUsage,
  type MaintenanceFailure,
  type MaintenanceStep,
  type MemoryEntry,
  type Rejection,
  type Upkeep,
  type Usage,
} from "../records/index.js";
import { type ExactScope, type ReadFilter, scopeKey } from "../store/index.js";
import { errorLine } from "./deadline.js";
import { EMPTY_COUNTS, type MaintainStateType, type MaintainTally, type MaintainUpdate } from "./maintain-state.js";
import type { NodeRuntime } from "./progress.js";
import type { MaintainServices } from "./services.js";

/** Entries that are read, and changed in one commit, at a time: the scope is held no longer than that takes. */
const PAGE = 200;

/** What a step is handed: what it counts and spends stands in the report also when it fails half-way. */
export interface StepJob {
  readonly tally: MaintainTally;
  readonly usage: Usage;
  readonly rejections: Rejection[];
  /** What the tables came to; null for a step that leaves them alone. */
  upkeepDone: Upkeep | null;
  readonly runtime: NodeRuntime | undefined;
}

/** A node that does one step. A step that fails is told in the report, and the next ones go on. */
export function createStep(
  name: MaintenanceStep,
  services: MaintainServices,
  work: (state: MaintainStateType, job: StepJob) => Promise<void>,
) {
  return async (state: MaintainStateType, runtime?: NodeRuntime): Promise<MaintainUpdate> => {
    runtime?.signal?.throwIfAborted();
    const job: StepJob = {
      tally: { ...EMPTY_COUNTS },
      usage: emptyUsage(),
      rejections: [],
      upkeepDone: state.upkeepDone,
      runtime,
    };
    const started = services.clock();
    const failures: MaintenanceFailure[] = [];
    try {
      await work(state, job);
    } catch (error) {
      if (isGraphBubbleUp(error) || runtime?.signal?.aborted === true) throw error;
      failures.push({ step: name, error: errorLine(error) });
    }
    const { tally, usage, rejections, upkeepDone } = job;
    usage.ms[name] = services.clock() - started;
    return { tally, usage, rejections, upkeepDone, failures };
  };
}

/** The entries that a filter matches, page by page; also what is changed meanwhile is given at most once. */
export async function* pagesOf(
  { store }: Pick<MaintainServices, "store">,
  scope: ExactScope,
  filter: ReadFilter,
  signal?: AbortSignal,
): AsyncGenerator<readonly MemoryEntry[]> {
  let cursor: string | undefined;
  do {
    signal?.throwIfAborted();
    const page = await store.entries.list(scope, { filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    if (page.items.length > 0) yield page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** Runs a change while nobody else changes the scope. What was read before may be out of date: read it again within. */
export function alone<T>(
  { locks }: Pick<MaintainServices, "locks">,
  scope: ExactScope,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return locks.with(scopeKey(scope), randomUUID(), work, signal);
}
