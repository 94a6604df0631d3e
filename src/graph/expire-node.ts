import type { EntryStatus, Fact, MemoryEntry } from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import { alone, createStep, pagesOf, type StepJob } from "./maintain-step.js";
import { maintainedRow } from "./maintained-row.js";
import type { MaintainServices } from "./services.js";
import { endedAt } from "./validity.js";

/** Statuses that a time which is over ends. What is history or put away stays so. */
const ENDED: readonly EntryStatus[] = ["active", "done", "conflicted", "doubtful", "pending_review"];
/** Before all time: the table leaves out facts that have expired by then, so none. */
const EVERY_TIME = "0000-01-01T00:00:00.000Z";

function isOver({ expiresAt }: Pick<MemoryEntry | Fact, "expiresAt">, now: string): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function endOf(entry: MemoryEntry): string | null {
  const { validTo, expiresAt } = entry;
  if (expiresAt === null || (validTo !== null && validTo < expiresAt)) return validTo ?? expiresAt;
  return endedAt(entry, expiresAt);
}

async function archiveExpired(services: MaintainServices, scope: ExactScope, ids: readonly string[], now: string) {
  const { entries } = services.store;
  const due = (await entries.rows(scope, ids)).filter(
    ({ entry }) => isOver(entry, now) && ENDED.includes(entry.status),
  );
  const archived = due.map((row) =>
    maintainedRow(
      row,
      { status: "archived", validTo: endOf(row.entry) },
      { op: "expired", reason: `it was to hold until ${row.entry.expiresAt}` },
      now,
    ),
  );
  if (archived.length > 0) await entries.put(scope, archived);
  return archived.length;
}

async function removeExpiredFacts({ store }: MaintainServices, scope: ExactScope, now: string, { tally }: StepJob) {
  const facts = await store.facts.list(scope, { now: EVERY_TIME });
  for (const { sessionId, key } of facts.filter((fact) => isOver(fact, now))) {
    tally.expiredFacts += Number(await store.facts.remove(scope, sessionId, key));
  }
}

/** Entries whose time is over leave the current memory for the archive; such facts, which no read gives, are removed. */
export function createExpireNode(services: MaintainServices) {
  return createStep("expire", services, async ({ scope, now: moment }, job) => {
    const now = new Date(moment).toISOString();
    const signal = job.runtime?.signal;
    for await (const page of pagesOf(services, scope, { status: ENDED, expiredBy: now }, signal)) {
      const ids = page.map(({ entryId }) => entryId);
      job.tally.expiredEntries += await alone(services, scope, () => archiveExpired(services, scope, ids, now), signal);
    }
    await alone(services, scope, () => removeExpiredFacts(services, scope, now, job), signal);
  });
}
