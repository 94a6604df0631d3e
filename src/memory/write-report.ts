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

export type Quality = Pick<WriteReport, "fidelity" | "compression">;

/** How much of what was said is found in what was stored, and in how many words. */
export function qualityOf({ kept, total, tokensIn, tokensOut }: WriteTally): Quality {
  return { fidelity: total === 0 ? 1 : kept / total, compression: tokensIn === 0 ? 0 : tokensOut / tokensIn };
}

export function joinTallies(left: WriteTally, right: WriteTally): WriteTally {
  const tally = { ...left };
  for (const key of Object.keys(EMPTY_TALLY) as (keyof WriteTally)[]) tally[key] += right[key];
  return tally;
}

/** The sum of two runs: what ran in the background is told by the next `flush`. */
export function joinOutcomes(left: WriteOutcome, right: WriteOutcome): WriteOutcome {
  return {
    tally: joinTallies(left.tally, right.tally),
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
    ...qualityOf(tally),
    usage: outcome.usage,
  };
}
