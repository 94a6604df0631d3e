import { shownScope } from "../../graph/index.js";
import {
  ClosedError,
  DimensionMismatchError,
  ModelUnavailableError,
  NotWritableError,
  StoreVersionError,
  type WorkReport,
  type WriteReport,
} from "../../records/index.js";
import { scopeKey } from "../../store/index.js";
import type { Engine } from "../engine.js";
import { type Job, type Outlook, outlookOf } from "./backlog.js";
import type { ParsedWork } from "./options.js";
import { Rota } from "./rota.js";
import { NO_WORK, withBrokenStint, withStint } from "./work-tally.js";

/** While nothing comes, looks are at most so many times as far apart. */
const LONGEST_IDLE = 16;

/** Nothing that a later try could mend: whoever started the worker must act. */
function isForTheCaller(error: unknown): boolean {
  return [ClosedError, DimensionMismatchError, NotWritableError, StoreVersionError].some(
    (kind) => error instanceof kind,
  );
}

/** Whether the model was not even asked: it is the same for all users. */
function modelIsAway({ windows, failures }: WriteReport): boolean {
  return windows.stored === 0 && failures.some(({ error }) => error.startsWith(`${ModelUnavailableError.name}:`));
}

/** Whether it brought the scope on: a window that was tried in vain waits for itself, and leaves the way to those behind it. */
function cameToSomething(report: WriteReport): boolean {
  return report.windows.stored > 0 || (report.failures.length > 0 && !modelIsAway(report));
}

/** Resolves when one of them settles, when the signal aborts, or after the time. */
async function untilFirst(ends: Iterable<Promise<unknown>>, signal: AbortSignal, ms: number): Promise<void> {
  if (signal.aborted) return;
  let wake = (): void => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  // Not unref'ed: a process that works is not to end for want of anything else to do.
  const timer = Number.isFinite(ms) ? setTimeout(wake, ms) : undefined;
  signal.addEventListener("abort", wake, { once: true });
  try {
    await Promise.race([woken, ...ends]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
  }
}

/** Takes pending windows of all users of a store, some at a time, and makes facts of them. It keeps nothing that the store does not. */
export class Worker {
  readonly #engine: Engine;
  readonly #options: ParsedWork;
  readonly #rota: Rota;
  readonly #running = new Map<string, Promise<void>>();
  /** Aborts when nothing new is to be begun. */
  readonly #stopping: AbortSignal;
  readonly #breakingOff = new AbortController();
  readonly #failing = new AbortController();
  #done = NO_WORK;
  #idleLooks = 0;
  #restsUntil = 0;

  /** @param random 0 to 1: with whom it begins */
  constructor(engine: Engine, options: ParsedWork, random: () => number) {
    this.#engine = engine;
    this.#options = options;
    this.#rota = new Rota(options.pollMs, random);
    const signals = [engine.ending, this.#failing.signal, ...(options.signal === undefined ? [] : [options.signal])];
    this.#stopping = AbortSignal.any(signals);
  }

  async run(): Promise<WorkReport> {
    try {
      while (!this.#stopping.aborted) {
        const { nextAt } = await this.#begin();
        if (this.#options.once && this.#running.size === 0) break;
        await untilFirst(this.#running.values(), this.#stopping, this.#patience(nextAt));
      }
    } finally {
      await this.#end();
    }
    if (this.#failing.signal.aborted) throw this.#failing.signal.reason;
    return this.#done;
  }

  get #now(): number {
    return this.#engine.options.clock();
  }

  /** Begins as many jobs as there is room for. */
  async #begin(): Promise<Outlook> {
    const room = this.#options.concurrency - this.#running.size;
    if (room <= 0 || this.#now < this.#restsUntil) return { jobs: [], nextAt: this.#restsUntil };
    const outlook = await this.#look();
    const free = outlook.jobs.filter(({ scope }) => !this.#running.has(scopeKey(scope)));
    const next = this.#stopping.aborted ? [] : this.#rota.inOrder(free, this.#now).slice(0, room);
    for (const job of next) this.#start(job);
    this.#idleLooks = next.length > 0 ? 0 : this.#idleLooks + 1;
    return outlook;
  }

  async #look(): Promise<Outlook> {
    const { store, owner, options, services } = this.#engine;
    const { idleMs, retryMs } = this.#options;
    try {
      const [turns, windows] = await Promise.all([store.inbox.backlog("extract"), store.ledger.backlog()]);
      return outlookOf(
        { turns, windows },
        { windowSize: options.window.size, idleMs, retryMs },
        { owner, now: this.#now },
      );
    } catch (error) {
      if (isForTheCaller(error) || this.#options.once) throw error;
      services.logger.error("a worker could not look for work", { error: String(error) });
      return { jobs: [], nextAt: Number.POSITIVE_INFINITY };
    }
  }

  /** How long to wait for something to do, when nothing ends before. */
  #patience(nextAt: number): number {
    const { pollMs, concurrency } = this.#options;
    if (this.#running.size >= concurrency) return Number.POSITIVE_INFINITY;
    const poll = pollMs * Math.min(2 ** this.#idleLooks, LONGEST_IDLE);
    return Math.max(1, Math.min(poll, nextAt - this.#now));
  }

  #start(job: Job): void {
    const key = scopeKey(job.scope);
    const stint = this.#stint(job)
      .catch((error: unknown) => this.#failing.abort(error))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, stint);
  }

  async #stint(job: Job): Promise<void> {
    const report = await this.#tried(job);
    const hasMoved = report !== undefined && cameToSomething(report);
    this.#rota.note(job, hasMoved ? "something" : "nothing", this.#now);
    if (report === undefined) return;
    this.#done = withStint(this.#done, report);
    if (modelIsAway(report)) this.#restsUntil = this.#now + this.#options.pollMs * LONGEST_IDLE;
    this.#options.onReport({ scope: shownScope(job.scope), report });
  }

  /** Undefined where it came to nothing for a reason that may pass. */
  async #tried({ scope, final }: Job): Promise<WriteReport | undefined> {
    const { writer, services } = this.#engine;
    const { windowsAtOnce: windows, retryMs } = this.#options;
    const { signal } = this.#breakingOff;
    try {
      return await writer.stint(scope, { final, share: { windows, retryMs }, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isForTheCaller(error)) throw error;
      services.logger.error("a worker could not work for a user", { error: String(error) });
      this.#done = withBrokenStint(this.#done);
      return undefined;
    }
  }

  /** Lets what is under way end, and breaks it off when that takes too long. */
  async #end(): Promise<void> {
    const all = Promise.all(this.#running.values());
    await untilFirst([all], new AbortController().signal, this.#options.graceMs);
    this.#breakingOff.abort();
    await all;
  }
}
