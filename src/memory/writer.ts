import { randomUUID } from "node:crypto";
import {
  CALL_BUDGET,
  type createWriteGraph,
  detached,
  EMPTY_TALLY,
  indexPendingTurns,
  MAINTENANCE_KEY,
  type Owner,
  relayedSignal,
  releaseWindows,
  type Share,
  type WriteServices,
  type WriteTally,
} from "../graph/index.js";
import { CallBudget } from "../models/index.js";
import {
  addUsage,
  DimensionMismatchError,
  emptyUsage,
  type FlushOptions,
  type Usage,
  type WriteReport,
} from "../records/index.js";
import { type ExactScope, scopeKey } from "../store/index.js";
import type { CostLog } from "./cost-log.js";
import { progressTeller } from "./flush-progress.js";
import {
  joinOutcomes,
  joinTallies,
  NO_OUTCOME,
  type Quality,
  qualityOf,
  toReport,
  type WriteOutcome,
} from "./write-report.js";

/** After an `add` that filled a window, how long a `flush` of the caller's own may come first. */
const AUTO_DELAY_MS = 50;

/** Versions younger than this stay, for readers of other processes. */
const KEEP_VERSIONS_MS = 10_000;

/** Turns that arrive within this time are indexed together; a search does not wait for it, but indexes what is new itself. */
const INDEX_DELAY_MS = 200;

interface WriterOptions {
  readonly services: WriteServices;
  readonly owner: Owner;
  readonly graph: ReturnType<typeof createWriteGraph>;
  readonly windowSize: number;
  /** Milliseconds; 0: no idle timer. */
  readonly idleMs: number;
  /** False: nothing runs by itself but the index of turns. */
  readonly isBackground: boolean;
  readonly costs: CostLog;
}

/** How a run of the write graph goes on. */
interface RunOptions extends FlushOptions {
  readonly final: boolean;
  readonly share?: Share;
}

/** What one scope has going on in this process. */
interface ScopeWork {
  /** This process wrote to it, or was asked to flush it. */
  isOwn: boolean;
  tail: Promise<unknown>;
  carried: WriteOutcome;
  idle?: NodeJS.Timeout;
  auto?: NodeJS.Timeout | undefined;
  index?: NodeJS.Timeout | undefined;
  readonly scope: ExactScope;
}

/**
 * Runs the write graph: one run at a time per scope, when asked, when a window is full, and when a conversation falls
 * silent. All timers are unref'ed, so that they never keep a process alive.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #work = new Map<string, ScopeWork>();
  readonly #running = new Set<Promise<unknown>>();
  #folding: Promise<unknown> | undefined;
  readonly #indexing = new Set<Promise<unknown>>();
  /** What all runs of this process have cost. */
  totals: Usage = emptyUsage();
  #stored: WriteTally = EMPTY_TALLY;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Called after turns were accepted: indexes them, and arms the timers. */
  noticeTurns(scope: ExactScope, pendingTurns: number): void {
    const work = this.#workOf(scope);
    work.isOwn = true;
    void this.foldWhenFragmented();
    work.index ??= setTimeout(() => {
      work.index = undefined;
      const indexing = this.inBackground("index", () => indexPendingTurns(this.#options.services, scope));
      this.#indexing.add(indexing);
      void indexing.finally(() => this.#indexing.delete(indexing));
    }, INDEX_DELAY_MS);
    work.index.unref();
    if (this.#options.isBackground) this.#armTimers(work, pendingTurns);
  }

  #armTimers(work: ScopeWork, pendingTurns: number): void {
    clearTimeout(work.idle);
    if (this.#options.idleMs > 0) {
      work.idle = setTimeout(
        () => this.inBackground("idle flush", () => this.#run(work, { final: true })),
        this.#options.idleMs,
      );
      work.idle.unref();
    }
    if (pendingTurns >= this.#options.windowSize && work.auto === undefined) {
      work.auto = setTimeout(
        () => this.inBackground("full window", () => this.#run(work, { final: false })),
        AUTO_DELAY_MS,
      );
      work.auto.unref();
    }
  }

  /** Processes everything that is pending in the scope. */
  async flush(scope: ExactScope, options: FlushOptions): Promise<WriteReport> {
    const work = this.#workOf(scope);
    work.isOwn = true;
    await this.#run(work, { final: true, ...options });
    // Waited for: who flushed may copy the folder, and no file may come and go meanwhile.
    await this.foldWhenFragmented();
    return this.#report(work);
  }

  /** Processes a share of what is pending in a scope that other processes write to; nothing is kept of it afterwards. */
  async stint(scope: ExactScope, options: Required<Pick<RunOptions, "final" | "share" | "signal">>) {
    const work = this.#workOf(scope);
    const run = this.#run(work, options);
    const { tail } = work;
    try {
      await run;
      void this.foldWhenFragmented();
      return await this.#report(work);
    } finally {
      if (!work.isOwn && work.tail === tail) this.#work.delete(scopeKey(scope));
    }
  }

  async #report(work: ScopeWork): Promise<WriteReport> {
    const outcome = work.carried;
    work.carried = NO_OUTCOME;
    return toReport(outcome, await this.#options.services.store.ledger.count(work.scope));
  }

  /** How much of what was said is found in what was stored. */
  get quality(): Quality {
    return qualityOf(this.#stored);
  }

  /** The scopes that this process has written to. */
  scopes(): ExactScope[] {
    return [...this.#work.values()].filter(({ isOwn }) => isOwn).map(({ scope }) => scope);
  }

  /** Waits for what runs in the background. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }

  /** Waits for turns that are being indexed, so that no file is written while files are rewritten. */
  async settleIndexing(): Promise<void> {
    await Promise.allSettled([...this.#indexing]);
  }

  stopTimers(): void {
    for (const work of this.#work.values()) {
      clearTimeout(work.idle);
      clearTimeout(work.auto);
      clearTimeout(work.index);
    }
  }

  #workOf(scope: ExactScope): ScopeWork {
    const key = scopeKey(scope);
    const known = this.#work.get(key);
    if (known !== undefined) return known;
    const made: ScopeWork = { isOwn: false, tail: Promise.resolve(), carried: NO_OUTCOME, scope };
    this.#work.set(key, made);
    return made;
  }

  /** Small files and words that no index holds slow every read, so they are folded, in the tables that have many. */
  async foldWhenFragmented(): Promise<void> {
    const { locks, store } = this.#options.services;
    if (!store.isFragmented) return;
    const fold = () => store.optimize({ keepMs: KEEP_VERSIONS_MS, onlyFragmented: true });
    this.#folding ??= this.inBackground("folding", () => locks.with(MAINTENANCE_KEY, randomUUID(), fold)).finally(
      () => {
        this.#folding = undefined;
      },
    );
    await this.#folding;
  }

  /** Starts work that nobody waits for, but `settle`. What fails is logged. */
  inBackground(what: string, task: () => Promise<unknown>): Promise<unknown> {
    const { logger } = this.#options.services;
    const running = task().catch((error: unknown) => logger.error(`${what} failed`, { error: String(error) }));
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
    return running;
  }

  #run(work: ScopeWork, options: RunOptions): Promise<void> {
    clearTimeout(work.auto);
    work.auto = undefined;
    if (options.final) clearTimeout(work.idle);
    const run = work.tail.then(() => this.#invoke(work, options));
    work.tail = run.catch(() => {});
    return run;
  }

  async #invoke(work: ScopeWork, options: RunOptions): Promise<void> {
    options.signal?.throwIfAborted();
    const { graph, services } = this.#options;
    const runId = randomUUID();
    let last: WriteOutcome = NO_OUTCOME;
    const tell = progressTeller(options.onProgress ?? (() => {}));
    const { config, release } = relayedSignal(options.signal);
    try {
      await detached(async () => {
        const events = await graph.stream(
          {
            scope: work.scope,
            runId,
            final: options.final,
            retryFailed: options.retryFailed ?? false,
            share: options.share ?? null,
          },
          {
            ...config,
            callbacks: [],
            configurable: budgetFor(services.limits.maxCallsPerFlush),
            streamMode: ["custom", "values"],
          },
        );
        for await (const [mode, event] of events) {
          if (mode === "values") last = event;
          else tell(event);
        }
      });
    } catch (error) {
      await this.#letGo(work.scope);
      throw unwrap(error);
    } finally {
      release();
      this.#note(work, last);
      await services.locks.unlock(runId);
      await this.#options.costs.write();
    }
  }

  /** Where that fails, for instance since the store was closed meanwhile, the lease ends by itself: the error of the run counts. */
  async #letGo(scope: ExactScope): Promise<void> {
    const { services, owner } = this.#options;
    await releaseWindows(services, owner, scope).catch((error: unknown) =>
      services.logger.warn("windows stay held until their lease ends", { error: String(error) }),
    );
  }

  /** Also of a run that was broken off: what it stored and spent until then is told by the next `flush`. */
  #note(work: ScopeWork, outcome: WriteOutcome): void {
    work.carried = joinOutcomes(work.carried, outcome);
    this.totals = addUsage(this.totals, outcome.usage);
    this.#options.costs.note(work.scope, outcome.usage);
    this.#stored = joinTallies(this.#stored, outcome.tally);
  }
}

function budgetFor(calls: number | undefined): { [key: string]: CallBudget } {
  return calls === undefined ? {} : { [CALL_BUDGET]: new CallBudget(calls) };
}

/** LangGraph may hand on an error inside its own. */
function unwrap(error: unknown): unknown {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof DimensionMismatchError) return current;
  }
  return error;
}
