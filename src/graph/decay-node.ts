import type { EntryStatus } from "../records/index.js";
import { decayWeight, fullSince } from "../stages/maintain/decay.js";
import type { ExactScope } from "../store/index.js";
import { alone, createStep, pagesOf } from "./maintain-step.js";
import { maintainedRow } from "./maintained-row.js";
import type { MaintainServices } from "./services.js";

/** Statuses that fade. What waits for a person's decision does not, and what is history is out of the way already. */
const FADING: readonly EntryStatus[] = ["active", "done", "doubtful"];

async function archiveFaded(services: MaintainServices, scope: ExactScope, ids: readonly string[], now: number) {
  const { store, rule } = services;
  const faded = (await store.entries.rows(scope, ids)).filter(
    ({ entry }) => FADING.includes(entry.status) && decayWeight(entry, rule, now) === 0,
  );
  const archived = faded.map((row) =>
    maintainedRow(
      row,
      { status: "archived", accessCount: 0 },
      { op: "archived", reason: "nobody mentioned or found it for long" },
      new Date(now).toISOString(),
    ),
  );
  if (archived.length > 0) await store.entries.put(scope, archived);
  return archived.length;
}

/** Entries that count no more go to the archive; see `decayWeight`. Those on their way are counted. */
export function createDecayNode(services: MaintainServices) {
  const { rule } = services;
  return createStep("decay", services, async ({ scope, now }, { tally, runtime }) => {
    const filter = { status: FADING, pinned: false, untouchedSince: fullSince(rule, now) };
    for await (const page of pagesOf(services, scope, filter, runtime?.signal)) {
      const weights = page.map((entry) => decayWeight(entry, rule, now));
      tally.fading += weights.filter((weight) => weight > 0 && weight < 1).length;
      const ids = page.filter((_, index) => weights[index] === 0).map(({ entryId }) => entryId);
      if (ids.length === 0) continue;
      tally.archived += await alone(services, scope, () => archiveFaded(services, scope, ids, now), runtime?.signal);
    }
  });
}
