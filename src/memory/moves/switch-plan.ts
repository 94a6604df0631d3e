import { entryIdOf, statusChange } from "../../graph/index.js";
import type { MemoryEntry } from "../../records/index.js";
import type { EntryWithChanges } from "../../store/index.js";
import { isPartOf } from "../expand.js";
import { wording } from "../wording.js";
import { type Held, heldBack } from "./switch-held.js";
import { STANDING, type SwitchInput, sameStatements } from "./switch-matches.js";

/** What a switch changes of a present entry. */
export interface Fate {
  readonly change: Partial<MemoryEntry>;
  readonly reason: string;
  /** Ids of the entries that have a part in it. */
  readonly related: readonly string[];
}

/** What a switch writes. */
export interface SwitchPlan {
  /** New entries: the id that each gets, by the id under which it was made. */
  readonly added: ReadonlyMap<string, string>;
  /** Ids that stand in the scope, for the ids under which the entries were made anew. */
  readonly idOf: ReadonlyMap<string, string>;
  /** By id of a present entry: what the new options make no more. */
  readonly retired: ReadonlyMap<string, Fate>;
  /** By id of a present entry: what has the same words and another status. */
  readonly changed: ReadonlyMap<string, Fate>;
  /** How many were not written. */
  readonly held: number;
}

interface Planning extends SwitchInput {
  readonly pairs: ReadonlyMap<string, EntryWithChanges>;
  /** The present entries of the pairs. */
  readonly paired: ReadonlySet<EntryWithChanges>;
  readonly held: Held;
  readonly added: ReadonlyMap<string, string>;
  readonly idOf: ReadonlyMap<string, string>;
}

/** The same statement of the same place gets the same id, so that a switch that was broken off is gone on with. */
function newId({ entryId, losslessRestatement }: MemoryEntry): string {
  return entryIdOf(`rebuilt ${entryId} ${wording(losslessRestatement)}`, 0);
}

function proof({ sessionId, sourceIds }: MemoryEntry): string {
  return JSON.stringify([sessionId, [...sourceIds].sort()]);
}

/** What stands on the same turns in other words, by proof. */
function successors({ anew, idOf }: Planning): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { entry } of anew) {
    const id = newId(entry);
    // Also one that a switch which was broken off has written already.
    if (idOf.get(entry.entryId) !== id || !STANDING.has(entry.status)) continue;
    found.set(proof(entry), [...(found.get(proof(entry)) ?? []), id]);
  }
  return found;
}

const NO_MORE = "made anew with other options, which make no such statement";

function retiredEntries(planning: Planning): ReadonlyMap<string, Fate> {
  const inOtherWords = successors(planning);
  const retired = new Map<string, Fate>();
  for (const one of planning.known) {
    const { entryId, status, derivedFrom } = one.entry;
    if (planning.paired.has(one) || !STANDING.has(status)) continue;
    if (derivedFrom.length > 0 || planning.held.isKept(one)) continue;
    const related = inOtherWords.get(proof(one.entry)) ?? [];
    retired.set(entryId, { change: { status: "archived" }, reason: NO_MORE, related });
  }
  return retired;
}

/** A pattern stands as long as the new options make all that it sums up. */
function retiredPatterns({ known, paired, held }: Planning): readonly EntryWithChanges[] {
  const byId = new Map(known.map((one) => [one.entry.entryId, one]));
  const isLost = (partId: string, patternId: string): boolean => {
    const part = byId.get(partId);
    return part !== undefined && isPartOf(part, patternId) && !paired.has(part) && !held.isKept(part);
  };
  return known.filter((one) => {
    const { entryId, derivedFrom, status } = one.entry;
    if (paired.has(one) || held.isKept(one) || !STANDING.has(status)) return false;
    return derivedFrom.some((id) => isLost(id, entryId));
  });
}

/** Whether what took the place of an entry still stands, without the new options knowing of it. */
function isReplaced({ entry }: EntryWithChanges, { known, paired }: Planning, retired: ReadonlyMap<string, Fate>) {
  const successor = known.find((one) => one.entry.entryId === entry.supersededBy);
  return (
    successor !== undefined &&
    STANDING.has(successor.entry.status) &&
    !paired.has(successor) &&
    !retired.has(successor.entry.entryId)
  );
}

/** Whether the status of an entry is another's to give: what faded or was put away otherwise stays so. */
function mayBeGiven(one: EntryWithChanges, planning: Planning, retired: ReadonlyMap<string, Fate>): boolean {
  const { status } = one.entry;
  if (planning.held.isKept(one)) return false;
  if (status === "superseded") return !isReplaced(one, planning, retired);
  if (status !== "archived") return true;
  const change = statusChange(one);
  return change?.op === "rebuilt" || (change?.related ?? []).some((id) => retired.has(id));
}

function changedEntries(planning: Planning, retired: ReadonlyMap<string, Fate>): ReadonlyMap<string, Fate> {
  const { anew, pairs, idOf } = planning;
  const changed = new Map<string, Fate>();
  for (const { entry } of anew) {
    const known = pairs.get(entry.entryId);
    if (known === undefined || known.entry.status === entry.status) continue;
    const supersededBy = entry.supersededBy === null ? null : (idOf.get(entry.supersededBy) ?? null);
    const isUnclear = entry.status === "superseded" && supersededBy === null;
    if (isUnclear || !mayBeGiven(known, planning, retired)) continue;
    changed.set(known.entry.entryId, {
      change: { status: entry.status, validTo: entry.validTo, supersededBy },
      reason: `made anew with other options: it is ${entry.status}`,
      related: supersededBy === null ? [] : [supersededBy],
    });
  }
  return changed;
}

function addedIds({ known, anew }: SwitchInput, pairs: ReadonlyMap<string, EntryWithChanges>, held: Held) {
  const taken = new Set(known.map(({ entry }) => entry.entryId));
  const fresh = anew.filter(({ entry }) => !pairs.has(entry.entryId) && !held.anew.has(entry.entryId));
  const ids = fresh.map(({ entry }): [string, string] => [entry.entryId, newId(entry)]);
  return new Map(ids.filter(([, id]) => !taken.has(id)));
}

/** What must be written so that a scope has the entries that new options make, and all that a person or a forget decided. */
export function planSwitch(input: SwitchInput): SwitchPlan {
  const pairs = sameStatements(input.known, input.anew);
  const held = heldBack(input, pairs);
  const added = addedIds(input, pairs, held);
  const present = [...pairs].map(([id, { entry }]): [string, string] => [id, entry.entryId]);
  const paired = new Set(pairs.values());
  const planning = { ...input, pairs, paired, held, added, idOf: new Map([...present, ...added]) };
  const retired = new Map(retiredEntries(planning));
  for (const { entry } of retiredPatterns(planning)) {
    const reason = "what it sums up is made no more by other options";
    retired.set(entry.entryId, { change: { status: "archived" }, reason, related: entry.derivedFrom });
  }
  const changed = changedEntries(planning, retired);
  return { added, idOf: planning.idOf, retired, changed, held: input.anew.length - pairs.size - added.size };
}
