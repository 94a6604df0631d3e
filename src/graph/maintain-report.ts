import {
  changedBy,
  type MaintenanceAlert,
  type MaintenanceFailure,
  type MaintenanceReport,
  type MaintenanceRule,
  type Rejection,
  type Scope,
  type Upkeep,
  type Usage,
} from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import type { MaintainTally } from "./maintain-state.js";
import type { MaintainServices } from "./services.js";

/** Runs that "usual" is taken from, and how many of them there must be. */
const USUAL_RUNS = 5;
const MIN_USUAL_RUNS = 3;
/** Fewer changes are no custom, and a tenth of what is usual is far less. */
const MIN_USUAL_CHANGES = 10;
const FAR_LESS = 0.1;
/** A run that follows the last one sooner than half of the usual time has less to do. */
const SOON = 0.5;

/** What a run came to, before anybody judged it. */
export interface RunOutcome {
  readonly runId: string;
  readonly scope: Scope | null;
  readonly scopes: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly rule: MaintenanceRule;
  readonly examined: number;
  readonly tally: MaintainTally;
  readonly upkeep: Upkeep | null;
  readonly bytes: MaintenanceReport["bytes"];
  readonly usage: Usage;
  readonly rejections: readonly Rejection[];
  readonly failures: readonly MaintenanceFailure[];
}

/** A scope as it is shown. */
export function shownScope({ userId, agentId, tenantId }: ExactScope): Scope {
  return { userId, ...(agentId === "" ? {} : { agentId }), ...(tenantId === "" ? {} : { tenantId }) };
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right).at(Math.floor(values.length / 2)) ?? 0;
}

/** @param former earlier runs, newest first */
function isIdle(changed: number, startedAt: number, former: readonly MaintenanceReport[]): boolean {
  const runs = former.filter(({ failures }) => failures.length === 0).slice(0, USUAL_RUNS);
  const starts = [startedAt, ...runs.map((run) => Date.parse(run.startedAt))];
  const gaps = starts.slice(1).map((start, index) => (starts[index] ?? start) - start);
  const [last = 0, ...usualGaps] = gaps;
  if (runs.length < MIN_USUAL_RUNS || last < median(usualGaps) * SOON) return false;
  const usual = median(runs.map(changedBy));
  return usual >= MIN_USUAL_CHANGES && changed < usual * FAR_LESS;
}

function alertsOf(outcome: RunOutcome, changed: number, former: readonly MaintenanceReport[]): MaintenanceAlert[] {
  const failed = outcome.failures.map(
    ({ step, error }): MaintenanceAlert => ({ kind: "failed", message: `the step ${step} failed: ${error}` }),
  );
  if (!isIdle(changed, outcome.startedAt, former)) return failed;
  return [...failed, { kind: "idle", message: `the run changed ${changed} entries, far less than runs usually do` }];
}

/** The report of a run, with what somebody should look at. */
export function reportOf(outcome: RunOutcome, former: readonly MaintenanceReport[]): MaintenanceReport {
  const { tally, startedAt, finishedAt, ...rest } = outcome;
  const counts = {
    accesses: tally.accesses,
    expired: { entries: tally.expiredEntries, facts: tally.expiredFacts },
    decay: { fading: tally.fading, archived: tally.archived, revived: tally.revived },
    duplicates: { joined: tally.joined },
    clusters: { made: tally.made, parts: tally.parts, refused: tally.refused },
  };
  return {
    ...rest,
    ...counts,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    alerts: alertsOf(outcome, changedBy(counts), former),
  };
}

/** Logs what somebody should look at, and tells it to whom the engine was told to. What a listener throws ends no run. */
export function tellAlerts({ logger, onAlert }: MaintainServices, report: MaintenanceReport): void {
  for (const alert of report.alerts) {
    logger.warn(`maintenance: ${alert.message}`, { kind: alert.kind, runId: report.runId });
    try {
      onAlert?.(alert, report);
    } catch (error) {
      logger.error("a listener of maintenance failed", { error: String(error) });
    }
  }
}
