import { randomUUID } from "node:crypto";
import {
  addCounts,
  compactTables,
  detached,
  EMPTY_COUNTS,
  type MaintainTally,
  reportOf,
  shownScope,
  tellAlerts,
  withRelayed,
} from "../graph/index.js";
import {
  addUsage,
  type ExpandOptions,
  emptyUsage,
  type MaintainOptions,
  type Maintenance,
  type MaintenanceFailure,
  type MaintenanceReport,
  type MemoryEntry,
  type Rejection,
  type ReportsOptions,
  SimpleMemError,
  type Upkeep,
  type Usage,
} from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import { checkId, reasonSchema } from "./correction-schemas.js";
import type { CorrectionContext } from "./corrections.js";
import type { Engine } from "./engine.js";
import { expandPattern } from "./expand.js";
import { reportsSchema } from "./maintenance-options.js";
import { check, maintainSchema } from "./options.js";

/** Failures and rejections of many scopes that one report holds. */
const SHOWN = 20;

/** What runs over several scopes came to. */
interface Sum {
  readonly scopes: number;
  readonly examined: number;
  readonly tally: MaintainTally;
  readonly usage: Usage;
  readonly rejections: readonly Rejection[];
  readonly failures: readonly MaintenanceFailure[];
}

const NOTHING: Sum = Object.freeze({
  scopes: 0,
  examined: 0,
  tally: EMPTY_COUNTS,
  usage: emptyUsage(),
  rejections: [],
  failures: [],
});

function added(left: Sum, right: Sum): Sum {
  return {
    scopes: left.scopes + right.scopes,
    examined: left.examined + right.examined,
    tally: addCounts(left.tally, right.tally),
    usage: addUsage(left.usage, right.usage),
    rejections: [...left.rejections, ...right.rejections].slice(0, SHOWN),
    failures: [...left.failures, ...right.failures].slice(0, SHOWN),
  };
}

function failed(step: MaintenanceFailure["step"], error: unknown): MaintenanceFailure {
  const line = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { step, error: line.replace(/\s+/gu, " ").slice(0, 300) };
}

function runGraph(engine: Engine, input: { scope: ExactScope; upkeep: boolean; quiet: boolean }, signal?: AbortSignal) {
  return withRelayed(signal, (config) =>
    detached(() => engine.maintainGraph.invoke(input, { ...config, callbacks: [] })),
  );
}

/** One scope among many: what fails there stops none of the others. */
async function maintainOne(engine: Engine, scope: ExactScope, signal?: AbortSignal): Promise<Sum> {
  try {
    const state = await runGraph(engine, { scope, upkeep: false, quiet: true }, signal);
    return { ...state, scopes: 1 };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { ...NOTHING, scopes: 1, failures: [failed("run", error)] };
  }
}

async function compact(engine: Engine, signal?: AbortSignal): Promise<{ upkeep: Upkeep | null; sum: Sum }> {
  const { clock } = engine.options;
  const started = clock();
  const spent = (): Usage => ({ ...emptyUsage(), ms: { compact: clock() - started } });
  try {
    const upkeep = await compactTables(engine.maintain, signal);
    return { upkeep, sum: { ...NOTHING, usage: spent() } };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { upkeep: null, sum: { ...NOTHING, usage: spent(), failures: [failed("compact", error)] } };
  }
}

/** Maintains every scope of the store, then its tables, and stores one report over all. */
export async function maintainAll(engine: Engine, options: MaintainOptions = {}): Promise<MaintenanceReport> {
  const { upkeep: folds = true, signal } = options;
  const { store, maintain } = engine;
  const { clock } = engine.options;
  const startedAt = clock();
  const before = folds ? await store.bytes() : 0;
  let sum = NOTHING;
  for (const scope of await store.scopes()) {
    signal?.throwIfAborted();
    sum = added(sum, await maintainOne(engine, scope, signal));
  }
  const tables = folds ? await compact(engine, signal) : { upkeep: null, sum: NOTHING };
  const outcome = { ...added(sum, tables.sum), upkeep: tables.upkeep, runId: randomUUID(), scope: null, startedAt };
  const bytes = { before, after: folds ? await store.bytes() : 0 };
  const report = await engine.upkeep(async () => {
    const former = await store.runs.list(null);
    const made = reportOf({ ...outcome, bytes, rule: maintain.rule, finishedAt: clock() }, former);
    await store.runs.add(null, made);
    return made;
  });
  engine.spend(report.usage);
  tellAlerts(maintain, report);
  return report;
}

/** Reports of one scope (null: of runs over all), newest first. */
export async function reportsOf(
  engine: Engine,
  scope: ExactScope | null,
  options: ReportsOptions = {},
): Promise<readonly MaintenanceReport[]> {
  engine.ensureOpen();
  const { limit } = check(reportsSchema, options, "the options of maintenance.reports");
  const reports = (await engine.store.runs.list(scope)).slice(0, limit);
  return scope === null ? reports : reports.map((report) => ({ ...report, scope: shownScope(scope) }));
}

/** Checks the options of a run. */
export function checkMaintain(options: MaintainOptions): void {
  check(maintainSchema, options, "the options of maintain");
}

/** The maintenance of one handle. */
export class ScopedMaintenance implements Maintenance {
  constructor(
    private readonly engine: Engine,
    private readonly context: CorrectionContext,
  ) {}

  async run(options: MaintainOptions = {}): Promise<MaintenanceReport> {
    this.context.ensureWritable();
    checkMaintain(options);
    const { upkeep = true, signal } = options;
    const { report, usage } = await runGraph(this.engine, { scope: this.context.scope, upkeep, quiet: false }, signal);
    this.engine.spend(usage, this.context.scope);
    if (report === null) throw new SimpleMemError("the maintain graph ended without a report; file this as a bug.");
    return report;
  }

  reports(options?: ReportsOptions): Promise<readonly MaintenanceReport[]> {
    return reportsOf(this.engine, this.context.scope, options);
  }

  async expand(id: string, options: ExpandOptions = {}): Promise<readonly MemoryEntry[]> {
    this.context.ensureWritable();
    checkId(id);
    check(reasonSchema, options, "the options of maintenance.expand");
    return expandPattern(this.context, id, options);
  }
}
