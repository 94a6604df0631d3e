import { SimpleMemError } from "../records/index.js";

/** Failures in a row after which the embedder is left alone, and for how long. */
const FAILURES = 3;
const COOL_DOWN_MS = 30_000;

export interface BreakerOptions {
  readonly timeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/**
 * Guards calls to a service that may be dead: each has a deadline, and after three failures in a row the service is left
 * alone for half a minute.
 */
export class Breaker {
  #failures = 0;
  #openUntil = 0;

  constructor(private readonly options: BreakerOptions) {}

  /** @throws SimpleMemError when the time is over or the service is being left alone; else what the call threw */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const { timeoutMs, clock } = this.options;
    if (clock() < this.#openUntil)
      throw new SimpleMemError("the embedder failed repeatedly and is left alone for now.");
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new SimpleMemError(`the embedder did not answer in ${timeoutMs} ms.`)),
        timeoutMs,
      );
    });
    try {
      const result = await Promise.race([call(), over]);
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= FAILURES) {
        this.#openUntil = clock() + COOL_DOWN_MS;
        this.#failures = 0;
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
