import { EMPTY_TALLY, type WriteTally } from "../graph/index.js";
import {
  addUsage,
  emptyUsage,
  type Rejection,
  type Usage,
  type WriteFailure,
  type WriteReport,
} from "../records/index.js";

/** What one run of the write graph did, before it is told. */
export interface WriteOutcome {
  readonly tally: WriteTally;
  readonly failures: readonly WriteFailure[];
  readonly rejections: readonly Rejection[];
  readonly openQuestions: readonly string[];
  readonly usage: Usage;
}

export const NO_OUTCOME: WriteOutcome = {
  tally: EMPTY_TALLY,
  failures: [],
  rejections: [],
  openQuestions: [],
  usage: emptyUsage(),
};

/** The sum of two runs: what ran in the background is told by the next `flush`. */
export function joinOutcomes(left: WriteOutcome, right: WriteOutcome): WriteOutcome {
  const tally = { ...left.tally };
  for (const key of Object.keys(EMPTY_TALLY) as (keyof WriteTally)[]) tally[key] += right.tally[key];
  return {
    tally,
    failures: [...left.failures, ...right.failures],
    rejections: [...left.rejections, ...right.rejections],
    openQuestions: [...left.openQuestions, ...right.openQuestions],
    usage: addUsage(left.usage, right.usage),
  };
}

/** The outcome as the caller sees it. `waiting` is what the ledger says now. */
export function toReport(outcome: WriteOutcome, waiting: { pending: number; failed: number }): WriteReport {
  const { tally } = outcome;
  return {
    windows: { stored: tally.windowsStored, failed: waiting.failed, pending: waiting.pending },
    entries: {
      added: tally.added,
      merged: tally.merged,
      superseded: tally.superseded,
      skipped: tally.skipped,
      conflicted: tally.conflicted,
      rejected: tally.rejected,
    },
    failures: outcome.failures,
    rejections: outcome.rejections,
    openQuestions: outcome.openQuestions,
    fidelity: tally.total === 0 ? 1 : tally.kept / tally.total,
    compression: tally.tokensIn === 0 ? 0 : tally.tokensOut / tally.tokensIn,
    usage: outcome.usage,
  };
}
