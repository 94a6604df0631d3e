import type { MemoryEntry } from "../records/index.js";
import type { EntryRow, ExactScope } from "../store/index.js";
import { comparedByRules } from "./compared.js";
import { alone, createStep, pagesOf } from "./maintain-step.js";
import { isKeptByHand, maintainedRow } from "./maintained-row.js";
import { nearRows } from "./near-rows.js";
import type { MaintainServices } from "./services.js";
import { endedAt, later } from "./validity.js";

const NEIGHBOURS = 8;

/** Two rows of which the first says nothing that the second does not say. */
interface Duplicate {
  readonly spare: EntryRow;
  readonly kept: EntryRow;
}

type RowPair = readonly [EntryRow, EntryRow];

function union(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])];
}

/** Each pair of neighbours once. */
function pairsOf(asked: readonly EntryRow[], neighbours: ReadonlyMap<string, readonly EntryRow[]>): RowPair[] {
  const pairs = new Map<string, RowPair>();
  for (const row of asked) {
    for (const near of neighbours.get(row.entry.entryId) ?? []) {
      const [first, second] = row.entry.entryId < near.entry.entryId ? [row, near] : [near, row];
      pairs.set(`${first.entry.entryId} ${second.entry.entryId}`, [first, second]);
    }
  }
  return [...pairs.values()];
}

function rankOf({ pinned, trust, mentionedAt }: MemoryEntry): string {
  return `${Number(pinned)} ${Number(trust === "user")} ${mentionedAt}`;
}

/** Of two that are equal in meaning the pinned one stays, then what the user said, then what was said later. */
function inOrderOfWorth([left, right]: RowPair): Duplicate {
  return rankOf(left.entry) > rankOf(right.entry) ? { spare: right, kept: left } : { spare: left, kept: right };
}

function sameTimes(spare: MemoryEntry, kept: MemoryEntry): boolean {
  const sameMoment = spare.timestamp === null || spare.timestamp === kept.timestamp;
  return sameMoment && spare.expiresAt === kept.expiresAt && spare.validTo === kept.validTo;
}

/** What holds for another time is no spare, nor is what was pinned or stands by somebody's hand, nor the user's words beside another's. */
function mayGo({ spare, kept }: Duplicate): boolean {
  const sameTrust = spare.entry.trust === kept.entry.trust || kept.entry.trust === "user";
  return sameTimes(spare.entry, kept.entry) && sameTrust && !spare.entry.pinned && !isKeptByHand(spare);
}

/** @param ops what the rules make of the first beside the second, and the reverse */
function duplicateOf(pair: RowPair, [there, back]: readonly (string | undefined)[]): Duplicate | null {
  const [first, second] = pair;
  if (there === "skip" && back === "skip") return inOrderOfWorth(pair);
  if (there === "skip") return { spare: first, kept: second };
  return back === "skip" ? { spare: second, kept: first } : null;
}

async function duplicatesAmong(services: MaintainServices, pairs: readonly RowPair[]): Promise<readonly Duplicate[]> {
  const ops = await comparedByRules(
    services,
    pairs.flatMap(([{ entry: first }, { entry: second }]) => [
      [first, second],
      [second, first],
    ]),
  );
  return pairs.flatMap((pair, index) => {
    const duplicate = duplicateOf(pair, ops.slice(index * 2, index * 2 + 2));
    return duplicate !== null && mayGo(duplicate) ? [duplicate] : [];
  });
}

/** The row that stays, with the proof of the other. */
function enriched({ entry: spare }: EntryRow, row: EntryRow, now: string): EntryRow {
  const { entry } = row;
  return maintainedRow(
    row,
    {
      sourceIds: union(entry.sourceIds, spare.sourceIds),
      keywords: union(entry.keywords, spare.keywords),
      persons: union(entry.persons, spare.persons),
      entities: union(entry.entities, spare.entities),
      attributes: { ...spare.attributes, ...entry.attributes },
      metadata: { ...spare.metadata, ...entry.metadata },
      location: entry.location ?? spare.location,
      topic: entry.topic ?? spare.topic,
      importance: Math.max(entry.importance, spare.importance),
      accessCount: entry.accessCount + spare.accessCount,
    },
    { op: "joined", reason: "the same was stored twice", related: [spare.entryId], turnIds: spare.sourceIds },
    now,
  );
}

/** The row that goes, as history of the other: it was believed until the other was said, or, said later, never by itself. */
function retired(row: EntryRow, { entry: kept }: EntryRow, now: string): EntryRow {
  const { mentionedAt } = row.entry;
  return maintainedRow(
    row,
    {
      status: "superseded",
      supersededBy: kept.entryId,
      validTo: endedAt(row.entry, later(mentionedAt, kept.mentionedAt)),
    },
    { op: "superseded", reason: "another entry says the same", related: [kept.entryId] },
    now,
  );
}

/** Joins the duplicates near these entries; answers how many went. The caller holds the scope. */
async function join(services: MaintainServices, scope: ExactScope, ids: readonly string[], now: string) {
  const near = await nearRows(services, scope, ids, { limit: NEIGHBOURS, floor: services.rule.similarity });
  const duplicates = await duplicatesAmong(services, pairsOf(near.asked, near.neighbours));
  const changed = new Map<string, EntryRow>();
  const gone = new Set<string>();
  for (const { spare, kept } of duplicates) {
    const [spareId, keptId] = [spare.entry.entryId, kept.entry.entryId];
    if (gone.has(spareId) || gone.has(keptId)) continue;
    const row = changed.get(spareId) ?? spare;
    changed.set(keptId, enriched(row, changed.get(keptId) ?? kept, now));
    changed.set(spareId, retired(row, kept, now));
    gone.add(spareId);
  }
  // Both in one commit: at no moment are they missing, and a run that died before it finds them as they were.
  if (changed.size > 0) await services.store.entries.put(scope, [...changed.values()]);
  return gone.size;
}

/**
 * Joins what is stored twice, as two processes may leave it: provenance is united, and one of the two becomes history. The rules
 * of consolidation decide, whatever the vectors say; those only tell which entries are worth a look.
 */
export function createJoinNode(services: MaintainServices) {
  return createStep("join", services, async ({ scope, since, now }, { tally, runtime }) => {
    const filter = { status: "active", ...(since === null ? {} : { changedSince: since }) } as const;
    const time = new Date(now).toISOString();
    for await (const page of pagesOf(services, scope, filter, runtime?.signal)) {
      const ids = page.map(({ entryId }) => entryId);
      tally.joined += await alone(services, scope, () => join(services, scope, ids, time), runtime?.signal);
    }
  });
}
