import type { Logger, Usage } from "../records/index.js";

/** What every stage is handed besides its input: how to stop, what to count, where to report. */
export interface StageRun {
  readonly signal?: AbortSignal;
  /** The stage adds what it spends. */
  readonly usage: Usage;
  readonly logger: Logger;
  /** The engine's clock, milliseconds since the epoch. */
  readonly now: () => number;
}
