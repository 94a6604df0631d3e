import { addUsage, emptyUsage, type WorkReport, type WriteReport } from "../../records/index.js";

export const NO_WORK: WorkReport = {
  stints: 0,
  windows: { stored: 0, failed: 0 },
  entries: { added: 0, merged: 0, superseded: 0, skipped: 0, conflicted: 0, rejected: 0 },
  failures: 0,
  usage: emptyUsage(),
};

/** What was done until now, and one stint more. Counts alone: a worker runs for months. */
export function withStint(done: WorkReport, { windows, entries, failures, usage }: WriteReport): WorkReport {
  const former = done.entries;
  return {
    stints: done.stints + 1,
    windows: {
      stored: done.windows.stored + windows.stored,
      failed: done.windows.failed + failures.filter(({ final }) => final).length,
    },
    entries: {
      added: former.added + entries.added,
      merged: former.merged + entries.merged,
      superseded: former.superseded + entries.superseded,
      skipped: former.skipped + entries.skipped,
      conflicted: former.conflicted + entries.conflicted,
      rejected: former.rejected + entries.rejected,
    },
    failures: done.failures + failures.length,
    usage: addUsage(done.usage, usage),
  };
}

/** A stint that broke off with an error of the store. */
export function withBrokenStint(done: WorkReport): WorkReport {
  return { ...done, stints: done.stints + 1, failures: done.failures + 1 };
}
