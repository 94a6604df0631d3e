import { addUsage, emptyUsage, type Usage } from "../records/index.js";

/**
 * What failed tries have spent. A node that throws cannot hand on its receipt, so the next try of the same work, or what
 * handles its last failure, takes it from here.
 */
export class FailedCosts {
  readonly #byWork = new Map<string, Usage>();

  keep(work: string, usage: Usage): void {
    this.#byWork.set(work, addUsage(this.#byWork.get(work) ?? emptyUsage(), usage));
  }

  /** What all failed tries of the work have spent; nothing of it is left here. */
  take(work: string): Usage {
    const usage = this.#byWork.get(work) ?? emptyUsage();
    this.#byWork.delete(work);
    return usage;
  }

  /** As `take`, for a try that repeats a failed one. */
  takeForRetry(work: string): Usage {
    const isRetry = this.#byWork.has(work);
    const usage = this.take(work);
    return { ...usage, retries: usage.retries + Number(isRetry) };
  }
}
