import { type EntryStatus, type MemoryEntry, versionsOf } from "../../records/index.js";
import type { EntryWithChanges } from "../../store/index.js";
import { wording } from "../wording.js";

/** What is known when a switch is planned. */
export interface SwitchInput {
  /** The entries of the scope, in every status. */
  readonly known: readonly EntryWithChanges[];
  /** Those that the new options make, in every status. */
  readonly anew: readonly EntryWithChanges[];
  /** Ids of turns whose statements may be put in other words. */
  readonly open: ReadonlySet<string>;
  /** Wordings that the scope reads elsewhere: what all agents share needs not be said again. */
  readonly saidElsewhere: ReadonlySet<string>;
}

/** Statuses in which an entry states something today. */
export const STANDING: ReadonlySet<EntryStatus> = new Set([
  "active",
  "conflicted",
  "doubtful",
  "done",
  "pending_review",
]);

/** Whether a person had a hand in what the entry is: such entries are nobody else's to change. */
export function isByHand({ entry, changes }: EntryWithChanges): boolean {
  return entry.pinned || changes.some(({ by }) => by === "user");
}

/** What the entry says; of one that was corrected by hand also what it said before. */
function sayings(one: EntryWithChanges): ReadonlySet<string> {
  const states = isByHand(one) ? versionsOf(one.entry, one.changes).map(({ entry }) => entry) : [one.entry];
  return new Set(states.map(({ losslessRestatement }) => wording(losslessRestatement)));
}

function rankOf(known: EntryWithChanges, anew: MemoryEntry): number {
  const shares = known.entry.sourceIds.some((id) => anew.sourceIds.includes(id));
  const worth = [isByHand(known), STANDING.has(known.entry.status), known.entry.status !== "archived", shares];
  return worth.reduce((rank, holds) => rank * 2 + Number(holds), 0);
}

function bySaying(known: readonly EntryWithChanges[]): Map<string, EntryWithChanges[]> {
  const found = new Map<string, EntryWithChanges[]>();
  for (const one of known) for (const said of sayings(one)) found.set(said, [...(found.get(said) ?? []), one]);
  return found;
}

/**
 * For ids of entries that were made anew, the present ones that say the same: each at most once, what a person corrected first,
 * then what stands.
 */
export function sameStatements(
  known: readonly EntryWithChanges[],
  anew: readonly EntryWithChanges[],
): ReadonlyMap<string, EntryWithChanges> {
  const found = bySaying(known);
  const taken = new Set<EntryWithChanges>();
  const pairs = new Map<string, EntryWithChanges>();
  const standsFirst = [...anew].sort(
    (left, right) => Number(STANDING.has(right.entry.status)) - Number(STANDING.has(left.entry.status)),
  );
  for (const { entry } of standsFirst) {
    const left = (found.get(wording(entry.losslessRestatement)) ?? []).filter((one) => !taken.has(one));
    const [best] = left.sort((one, other) => rankOf(other, entry) - rankOf(one, entry));
    if (best === undefined) continue;
    taken.add(best);
    pairs.set(entry.entryId, best);
  }
  return pairs;
}
