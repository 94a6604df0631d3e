import type { EntryWithChanges } from "../../store/index.js";
import { wording } from "../wording.js";
import { everySource } from "./import-entries.js";
import { isByHand, type SwitchInput } from "./switch-matches.js";

/** What a switch must leave alone. */
export interface Held {
  /** Ids of entries that were made anew and are not written. */
  readonly anew: ReadonlySet<string>;
  /** True for a present entry that nobody may retire or give another status. */
  readonly isKept: (known: EntryWithChanges) => boolean;
}

function idsOf(entries: readonly EntryWithChanges[]): ReadonlySet<string> {
  return new Set(entries.flatMap(everySource));
}

function touches(one: EntryWithChanges, ids: ReadonlySet<string>): boolean {
  return everySource(one).some((id) => ids.has(id));
}

/** Those whose place one that is held took are held too: nobody knows what became of them. */
function withFormer(unmatched: readonly EntryWithChanges[], held: Set<string>): ReadonlySet<string> {
  const former = unmatched.filter(
    ({ entry: { entryId, supersededBy } }) => !held.has(entryId) && supersededBy !== null && held.has(supersededBy),
  );
  if (former.length === 0) return held;
  for (const { entry } of former) held.add(entry.entryId);
  return withFormer(unmatched, held);
}

/**
 * Turns are closed of which something was forgotten, is still to come, or was put into other words by a person: whether a new
 * wording says just that, nobody can tell. What is made anew of them is not written, and what stands on them stays, so that
 * nothing is said twice and nothing is lost.
 */
export function heldBack(input: SwitchInput, pairs: ReadonlyMap<string, EntryWithChanges>): Held {
  const { known, anew, open, saidElsewhere } = input;
  const paired = new Set(pairs.values());
  const corrected = idsOf(known.filter((one) => isByHand(one) && !paired.has(one)));
  const isClosed = (one: EntryWithChanges): boolean =>
    everySource(one).some((id) => !open.has(id) || corrected.has(id));
  const tied = known.filter(isClosed);
  const tiedIds = idsOf(tied);
  const unmatched = anew.filter(({ entry }) => !pairs.has(entry.entryId));
  const blocked = unmatched.filter(
    (one) => isClosed(one) || touches(one, tiedIds) || saidElsewhere.has(wording(one.entry.losslessRestatement)),
  );
  const held = withFormer(unmatched, new Set(blocked.map(({ entry }) => entry.entryId)));
  const heldIds = idsOf(unmatched.filter(({ entry }) => held.has(entry.entryId)));
  return { anew: held, isKept: (one) => isByHand(one) || isClosed(one) || touches(one, heldIds) };
}
