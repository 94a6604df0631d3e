import type { ModelRun } from "../models/index.js";

/**
 * What every stage is handed besides its input: how to stop, what to count, where to report, how many calls are left.
 * The stage adds what it spends to `usage`.
 */
export type StageRun = ModelRun;
