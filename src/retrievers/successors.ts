import type { MemoryEntry } from "../records/index.js";
import { entryCandidate } from "./candidate.js";
import type { Ranked } from "./rank.js";

/** Steps from a former statement to the one that holds now: each is a read. */
const MAX_STEPS = 8;

/** What the lookup of successors needs. */
export interface SuccessorLookup {
  /** Entries by their ids, in the state of the time that is asked for. */
  find(ids: readonly string[]): Promise<readonly MemoryEntry[]>;
  sees(entry: MemoryEntry): boolean;
}

/** Where a turn would stand if it were not history. */
function ownSum({ sum, extra }: Ranked): number {
  return sum - (extra.retired ?? 0);
}

/**
 * Puts what replaced a statement where the statement would stand. "Orla lives in Dunmore" is like the question where she lives, and
 * "Orla moved to Tarnby" is not; but who finds the first must be told the second.
 * @param ranked best first; turns that are history name what replaced them
 * @param kept how many hits are given
 */
export async function withSuccessors(
  ranked: readonly Ranked[],
  kept: number,
  lookup: SuccessorLookup,
): Promise<Ranked[]> {
  const last = ranked[kept - 1];
  const retired = ranked.filter(
    (one) => (one.replacedBy?.length ?? 0) > 0 && (last === undefined || ownSum(one) >= last.sum),
  );
  if (retired.length === 0) return [...ranked];
  const current = await currentOf(new Set(retired.flatMap(({ replacedBy = [] }) => replacedBy)), lookup);
  const lifts = new Map<string, { readonly from: Ranked; readonly entry: MemoryEntry }>();
  for (const one of retired.toSorted((left, right) => ownSum(right) - ownSum(left))) {
    for (const id of one.replacedBy ?? []) {
      const entry = current.get(id);
      if (entry !== undefined && !lifts.has(entry.entryId)) lifts.set(entry.entryId, { from: one, entry });
    }
  }
  return lifted(ranked, lifts);
}

/** What holds now, by the id of what took the place first. */
async function currentOf(
  ids: ReadonlySet<string>,
  { find, sees }: SuccessorLookup,
): Promise<ReadonlyMap<string, MemoryEntry>> {
  const known = new Map<string, MemoryEntry>();
  for (let step = 0, open = [...ids]; step < MAX_STEPS && open.length > 0; step += 1) {
    const found = await find(open);
    for (const entry of found) known.set(entry.entryId, entry);
    open = found.flatMap(({ supersededBy }) =>
      supersededBy === null || known.has(supersededBy) ? [] : [supersededBy],
    );
  }
  const current = new Map<string, MemoryEntry>();
  for (const id of ids) {
    const entry = endOfChain(known, id);
    if (entry !== undefined && sees(entry)) current.set(id, entry);
  }
  return current;
}

function endOfChain(known: ReadonlyMap<string, MemoryEntry>, id: string): MemoryEntry | undefined {
  let entry = known.get(id);
  for (let step = 0; step < MAX_STEPS && entry?.supersededBy != null; step += 1) {
    entry = known.get(entry.supersededBy) ?? entry;
  }
  return entry;
}

function lifted(
  ranked: readonly Ranked[],
  lifts: ReadonlyMap<string, { readonly from: Ranked; readonly entry: MemoryEntry }>,
): Ranked[] {
  const found = new Set(ranked.map(({ candidate }) => candidate.entry?.entryId));
  const raised = ranked.map((one): Ranked => {
    const lift = lifts.get(one.candidate.entry?.entryId ?? "");
    if (lift === undefined || ownSum(lift.from) <= one.sum) return one;
    const gain = ownSum(lift.from) - one.sum;
    return { ...one, sum: one.sum + gain, extra: { ...one.extra, replaces: gain } };
  });
  const fresh = [...lifts.values()].filter(({ entry }) => !found.has(entry.entryId));
  const added = fresh.map(({ from, entry }): Ranked => {
    const { retired: _retired, ...extra } = from.extra;
    const { replacedBy: _replacedBy, ...rest } = from;
    return {
      ...rest,
      candidate: { ...entryCandidate(entry), views: new Set(from.candidate.views) },
      sum: ownSum(from),
      extra,
    };
  });
  return [...raised, ...added].sort(
    (left, right) => right.sum - left.sum || (left.candidate.id < right.candidate.id ? -1 : 1),
  );
}
