import { ModelUnavailableError } from "../records/index.js";

/** A time-out stalls its caller for long, a refused connection does not: three of the one weigh like nine of the other. */
const TIMEOUT_WEIGHT = 3;
const ERROR_WEIGHT = 1;
const OPENS_AT = 9;
const COOL_DOWN_MS = 30_000;

/**
 * Leaves a model alone for half a minute after three time-outs, or nine other failures to reach it, in a row. Then one
 * call tries again: it closes the breaker, or opens it anew.
 */
export class ModelBreaker {
  #weight = 0;
  #openUntil = 0;

  /** @throws ModelUnavailableError while the model is left alone */
  ensureClosed(now: number): void {
    if (now >= this.#openUntil) return;
    throw new ModelUnavailableError(
      `the model failed repeatedly and is left alone until ${new Date(this.#openUntil).toISOString()}; what is pending stays pending.`,
    );
  }

  answered(): void {
    this.#weight = 0;
  }

  failed(kind: "timeout" | "error", now: number): void {
    this.#weight += kind === "timeout" ? TIMEOUT_WEIGHT : ERROR_WEIGHT;
    if (this.#weight < OPENS_AT) return;
    this.#openUntil = now + COOL_DOWN_MS;
    // The first failure after the cool-down opens it again.
    this.#weight = OPENS_AT - ERROR_WEIGHT;
  }
}

/**
 * One breaker for a model as a whole and one for each kind of call: a model that stalls over long prompts alone answers
 * others in between, and would never be left alone.
 */
export class ModelBreakers {
  readonly #whole = new ModelBreaker();
  readonly #byKind = new Map<string, ModelBreaker>();

  /** @throws ModelUnavailableError while the model is left alone, or with this kind of call */
  ensureClosed(kind: string, now: number): void {
    for (const breaker of this.#of(kind)) breaker.ensureClosed(now);
  }

  answered(kind: string): void {
    for (const breaker of this.#of(kind)) breaker.answered();
  }

  failed(kind: string, how: "timeout" | "error", now: number): void {
    for (const breaker of this.#of(kind)) breaker.failed(how, now);
  }

  #of(kind: string): readonly ModelBreaker[] {
    const own = this.#byKind.get(kind) ?? new ModelBreaker();
    this.#byKind.set(kind, own);
    return [this.#whole, own];
  }
}
