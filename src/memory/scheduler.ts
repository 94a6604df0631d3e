/** Starts work after a time; answers how to call it off. */
export type Timer = (work: () => void, delayMs: number) => () => void;

/** A timer that keeps no process alive. */
export const realTimer: Timer = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

export interface SchedulerOptions {
  readonly everyMs: number;
  /** Share of `everyMs` by which a run comes earlier or later. */
  readonly jitter: number;
  /** Must not reject. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly timer: Timer;
  /** 0 to 1. */
  readonly random: () => number;
}

/**
 * Runs something again and again, with a spread, never two at a time. The first time comes soon after the start, within the
 * spread: a process that lives shortly has its turn too.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #ending = new AbortController();
  #cancel: () => void = () => {};

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    const { everyMs, jitter, random } = this.#options;
    this.#arm(everyMs * jitter * random());
  }

  /** Calls off what is to come, and aborts what runs. */
  stop(): void {
    this.#cancel();
    this.#ending.abort();
  }

  #arm(delayMs: number): void {
    if (this.#ending.signal.aborted) return;
    this.#cancel = this.#options.timer(() => void this.#runOnce(), delayMs);
  }

  async #runOnce(): Promise<void> {
    const { everyMs, jitter, random, run } = this.#options;
    await run(this.#ending.signal);
    this.#arm(everyMs * (1 + jitter * (2 * random() - 1)));
  }
}
