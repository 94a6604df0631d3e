import { CallBudgetError } from "../records/index.js";

/** How many calls of models one run may make. Shared by everything that runs in it. */
export class CallBudget {
  #left: number;

  constructor(calls: number) {
    this.#left = calls;
  }

  /** @throws CallBudgetError when none is left */
  take(): void {
    if (this.#left <= 0) {
      throw new CallBudgetError(
        "limits.maxCallsPerFlush is used up; the rest stays pending, and the next flush goes on with it.",
      );
    }
    this.#left -= 1;
  }
}
