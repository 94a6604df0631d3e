import type { MemoryEntry } from "../records/index.js";
import type { EntryRow, ExactScope } from "../store/index.js";
import { changed } from "./changed-row.js";
import type { WriteServices } from "./services.js";

/** Entries near one that became history, among which those that rest on it are looked for. */
const NEIGHBOURS = 24;
const NEIGHBOUR_FLOOR = 0.35;

/** One that becomes history with this write, and when the words were said that took its place. */
interface Retired {
  readonly row: EntryRow;
  readonly endedAt: string;
}

/**
 * Entries that rest on what becomes history with these rows: patterns that were made of it, and statements that give it as their
 * reason. They may still hold, and a person can tell: they are marked, and stand in the review queue.
 * @param rows what is about to be written
 * @returns rows to be written with them; one that is among them already replaces it
 */
export async function rowsInDoubt(
  services: Pick<WriteServices, "store" | "consolidator">,
  scope: ExactScope,
  rows: readonly EntryRow[],
  now: string,
): Promise<readonly EntryRow[]> {
  const retired = retiredNow(rows, now);
  if (retired.length === 0) return [];
  const [derived, near] = await Promise.all([madeOf(services, scope, retired), nearEach(services, scope, retired)]);
  const fresh = rows.map(({ entry }) => entry);
  const causes = new Map<string, Retired>();
  for (const [index, one] of retired.entries()) {
    const neighbours = [...(near[index] ?? []), ...fresh].filter((entry) => entry.mentionedAt < one.endedAt);
    const resting = services.consolidator.inDoubt?.({ premise: one.row.entry, neighbours }) ?? [];
    const parts = derived.filter(({ derivedFrom }) => derivedFrom.includes(one.row.entry.entryId));
    for (const { entryId, status } of [...resting, ...parts]) if (status === "active") causes.set(entryId, one);
  }
  return doubted(services, scope, rows, causes, now);
}

function retiredNow(rows: readonly EntryRow[], now: string): Retired[] {
  const byId = new Map(rows.map(({ entry }) => [entry.entryId, entry]));
  return rows.flatMap((row) => {
    const { status, supersededBy, updatedAt } = row.entry;
    const endedAt = byId.get(supersededBy ?? "")?.mentionedAt;
    return status === "superseded" && updatedAt === now && endedAt !== undefined ? [{ row, endedAt }] : [];
  });
}

async function madeOf(
  { store }: Pick<WriteServices, "store">,
  scope: ExactScope,
  retired: readonly Retired[],
): Promise<readonly MemoryEntry[]> {
  const found = await store.entries.bySources(
    scope,
    retired.flatMap(({ row }) => row.entry.sourceIds),
  );
  return found.filter(({ derivedFrom }) => derivedFrom.length > 0);
}

async function nearEach(
  { store }: Pick<WriteServices, "store">,
  scope: ExactScope,
  retired: readonly Retired[],
): Promise<readonly (readonly MemoryEntry[])[]> {
  const lists = await store.entries.nearestBatch(
    scope,
    retired.map(({ row }) => row.vector),
    { limit: NEIGHBOURS, floor: NEIGHBOUR_FLOOR, filter: { status: "active" } },
  );
  return lists.map((list) => list.map(({ row }) => row));
}

async function doubted(
  { store }: Pick<WriteServices, "store">,
  scope: ExactScope,
  rows: readonly EntryRow[],
  causes: ReadonlyMap<string, Retired>,
  at: string,
): Promise<EntryRow[]> {
  const pending = new Map(rows.map((row) => [row.entry.entryId, row]));
  const missing = [...causes.keys()].filter((id) => !pending.has(id));
  const stored = missing.length === 0 ? [] : await store.entries.rows(scope, missing);
  return [...pending.values(), ...stored].flatMap((row) => {
    const cause = causes.get(row.entry.entryId);
    if (cause === undefined || row.entry.status !== "active") return [];
    const { entryId, sourceIds } = cause.row.entry;
    const reason = "what it rests on is no longer so";
    return [
      changed(
        row,
        { status: "doubtful" },
        { op: "doubted", at, saidAt: cause.endedAt, by: "rule", turnIds: sourceIds, related: [entryId], reason },
      ),
    ];
  });
}
