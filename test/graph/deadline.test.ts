import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { withDeadline } from "../../src/graph/deadline.js";
import { emptyUsage, SILENT_LOGGER } from "../../src/records/index.js";

it("when a stage has ended nothing listens to its signal, which would keep the run in memory (R78)", async () => {
  const context = { now: () => 0, usage: emptyUsage(), logger: SILENT_LOGGER };
  const signals: AbortSignal[] = [];
  const { signal: outer } = new AbortController();
  await withDeadline("plan", 1_000, outer, context, async ({ signal }) => {
    if (signal !== undefined) signals.push(signal);
  });
  expect(signals).toHaveLength(1);
  expect(signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
});
