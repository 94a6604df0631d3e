import { fullSince } from "../stages/maintain/decay.js";
import type { EntryRow, ExactScope } from "../store/index.js";
import { comparedByRules } from "./compared.js";
import { alone, createStep, pagesOf } from "./maintain-step.js";
import { maintainedRow, statusChange } from "./maintained-row.js";
import type { MaintainServices } from "./services.js";

/** Active entries near one that comes back: among them may stand what took its place meanwhile. */
const NEIGHBOURS = 8;
const NEIGHBOUR_FLOOR = 0.5;

/** Only what faded comes back: what was rejected, expired, summed up or archived by hand is away for a reason. */
function isDue(row: EntryRow, { rule }: MaintainServices): boolean {
  const { status, accessCount } = row.entry;
  const change = statusChange(row);
  const hasFaded = change?.op === "archived" && change.by === "maintenance";
  return status === "archived" && hasFaded && accessCount >= rule.promoteAfter;
}

/** Whether nothing active says the same, more, or the contrary by now. */
async function isStillNews(services: MaintainServices, scope: ExactScope, row: EntryRow): Promise<boolean> {
  const near = await services.store.entries.nearest(scope, row.vector, {
    limit: NEIGHBOURS,
    floor: NEIGHBOUR_FLOOR,
    filter: { status: "active" },
  });
  const known = near.map((one) => one.row).filter(({ entryId }) => entryId !== row.entry.entryId);
  const ops = await comparedByRules(
    services,
    known.map((entry) => [row.entry, entry]),
  );
  return ops.every((op) => op === "add");
}

async function revive(services: MaintainServices, scope: ExactScope, ids: readonly string[], now: string) {
  const { entries } = services.store;
  let revived = 0;
  for (const row of await entries.rows(scope, ids)) {
    if (!isDue(row, services) || !(await isStillNews(services, scope, row))) continue;
    const reason = `it was found ${row.entry.accessCount} times since it was archived`;
    // One by one: of two that say the same, the second finds the first.
    await entries.put(scope, [maintainedRow(row, { status: "active" }, { op: "revived", reason }, now)]);
    revived += 1;
  }
  return revived;
}

/** What was archived, and is found often nevertheless, is active again. */
export function createReviveNode(services: MaintainServices) {
  const { rule } = services;
  return createStep("revive", services, async ({ scope, now }, { tally, runtime }) => {
    const filter = { status: "archived", accessedSince: fullSince(rule, now) } as const;
    const time = new Date(now).toISOString();
    for await (const page of pagesOf(services, scope, filter, runtime?.signal)) {
      const ids = page.filter(({ accessCount }) => accessCount >= rule.promoteAfter).map(({ entryId }) => entryId);
      if (ids.length === 0) continue;
      tally.revived += await alone(services, scope, () => revive(services, scope, ids, time), runtime?.signal);
    }
  });
}
