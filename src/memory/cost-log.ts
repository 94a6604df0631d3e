import type { CostDay, Logger, Usage } from "../records/index.js";
import { type ExactScope, type MemoryStore, scopeKey } from "../store/index.js";

/** What the log needs of an engine. */
interface CostLogParts {
  readonly store: MemoryStore;
  readonly clock: () => number;
  readonly logger: Logger;
  /** Runs a change of a scope alone, among all processes. */
  readonly exclusive: <T>(scope: ExactScope, work: () => Promise<T>) => Promise<T>;
}

const DAY_LENGTH = "2025-03-01".length;

/**
 * Keeps what models cost, by scope and day, so that it can be told after the process has ended. What calls no model costs nothing
 * and writes nothing.
 */
export class CostLog {
  readonly #parts: CostLogParts;
  readonly #waiting = new Map<string, { readonly scope: ExactScope; readonly costs: readonly CostDay[] }>();

  constructor(parts: CostLogParts) {
    this.#parts = parts;
  }

  /** Counts a cost; it is written by the next `write`. */
  note(scope: ExactScope, { modelCalls, promptTokens, completionTokens }: Usage): void {
    if (modelCalls === 0 || this.#parts.store.readOnly) return;
    const day = new Date(this.#parts.clock()).toISOString().slice(0, DAY_LENGTH);
    this.#keep(scope, [{ day, modelCalls, promptTokens, completionTokens }]);
  }

  /** What this process has not written yet. */
  waiting(scope: ExactScope): readonly CostDay[] {
    return this.#waiting.get(scopeKey(scope))?.costs ?? [];
  }

  /** Writes what was counted. What cannot be written waits for the next time: a cost that is not told stops no memory. */
  async write(): Promise<void> {
    const { store, logger, exclusive } = this.#parts;
    for (const { scope, costs } of [...this.#waiting.values()]) {
      this.#waiting.delete(scopeKey(scope));
      await exclusive(scope, () => store.costs.add(scope, costs)).catch((error: unknown) => {
        this.#keep(scope, costs);
        logger.warn("costs were not written", { error: String(error) });
      });
    }
  }

  #keep(scope: ExactScope, costs: readonly CostDay[]): void {
    this.#waiting.set(scopeKey(scope), { scope, costs: [...this.waiting(scope), ...costs] });
  }
}
