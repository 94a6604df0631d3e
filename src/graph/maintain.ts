import { randomUUID } from "node:crypto";
import { END, START, StateGraph } from "@langchain/langgraph";
import { isSameJson, type MaintenanceReport } from "../records/index.js";
import { writeAccesses } from "./access-log.js";
import { createClusterNode } from "./cluster-node.js";
import { createCompactNode } from "./compact-node.js";
import { createDecayNode } from "./decay-node.js";
import { createExpireNode } from "./expire-node.js";
import { createJoinNode } from "./join-node.js";
import { reportOf, shownScope, tellAlerts } from "./maintain-report.js";
import { MaintainState, type MaintainStateType, type MaintainUpdate } from "./maintain-state.js";
import { alone, createStep } from "./maintain-step.js";
import type { NodeRuntime } from "./progress.js";
import { createReviveNode } from "./revive-node.js";
import type { MaintainServices } from "./services.js";

/** A row may be written a while after the time that it bears. */
const LATE_MS = 10 * 60 * 1000;

/** Since when entries must have changed to be compared: since the last run by this rule in which nothing failed. */
function sinceOf({ rule }: MaintainServices, former: readonly MaintenanceReport[]): string | null {
  const last = former.find((run) => run.failures.length === 0 && isSameJson(run.rule, rule));
  return last === undefined ? null : new Date(Date.parse(last.startedAt) - LATE_MS).toISOString();
}

function createBeginNode(services: MaintainServices) {
  const { store, clock } = services;
  return async ({ scope, upkeep }: MaintainStateType): Promise<MaintainUpdate> => {
    const now = clock();
    const [counts, former] = await Promise.all([store.entries.count(scope), store.runs.list(scope)]);
    return {
      now,
      runId: randomUUID(),
      since: sinceOf(services, former),
      examined: counts.active ?? 0,
      bytesBefore: upkeep ? await store.bytes() : 0,
    };
  };
}

function createAccessNode(services: MaintainServices) {
  return createStep("access", services, async ({ scope }, { tally, runtime }) => {
    tally.accesses = await writeAccesses(services, scope, runtime?.signal);
  });
}

function createReportNode(services: MaintainServices) {
  const { store, clock, rule } = services;
  return async (state: MaintainStateType, runtime?: NodeRuntime): Promise<MaintainUpdate> => {
    const { scope, runId, examined, tally, usage, rejections, failures, upkeepDone: upkeep } = state;
    const bytes = { before: state.bytesBefore, after: state.upkeep ? await store.bytes() : 0 };
    const outcome = { runId, examined, tally, usage, rejections, failures, upkeep, bytes, rule, scopes: 1 };
    const times = { startedAt: state.now, finishedAt: clock() };
    const stored = async () => {
      const report = reportOf({ ...outcome, ...times, scope: shownScope(scope) }, await store.runs.list(scope));
      await store.runs.add(scope, report);
      return report;
    };
    const report = await alone(services, scope, stored, runtime?.signal);
    if (!state.quiet) tellAlerts(services, report);
    return { report };
  };
}

/**
 * The maintain graph: access → expire → decay → revive → join → cluster → compact → report. Invoke it with
 * `{ scope: { tenantId, userId, agentId } }`; the report of the run is in the state that it gives back, as `report`. A step that
 * fails is told there, and the next ones go on.
 */
export function createMaintainGraph(services: MaintainServices) {
  return new StateGraph(MaintainState)
    .addNode("begin", createBeginNode(services))
    .addNode("access", createAccessNode(services))
    .addNode("expire", createExpireNode(services))
    .addNode("decay", createDecayNode(services))
    .addNode("revive", createReviveNode(services))
    .addNode("join", createJoinNode(services))
    .addNode("cluster", createClusterNode(services))
    .addNode("compact", createCompactNode(services))
    .addNode("tell", createReportNode(services))
    .addEdge(START, "begin")
    .addEdge("begin", "access")
    .addEdge("access", "expire")
    .addEdge("expire", "decay")
    .addEdge("decay", "revive")
    .addEdge("revive", "join")
    .addEdge("join", "cluster")
    .addEdge("cluster", "compact")
    .addEdge("compact", "tell")
    .addEdge("tell", END)
    .compile({ name: "simplemem_maintain" });
}
