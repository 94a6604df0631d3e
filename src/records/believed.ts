import type { Fact, MemoryEntry } from "./entry.js";
import { replayed } from "./replayed.js";
import { type EntryChange, type EntryVersion, versionsOf } from "./versions.js";

/** Versions with which an entry was made of turns: what they say has been known since it was said. */
const FROM_TURNS: ReadonlySet<EntryVersion["op"]> = new Set(["extracted", "stored"]);

function knownSince({ op, at, saidAt, entry }: EntryVersion): string {
  return saidAt ?? (FROM_TURNS.has(op) ? entry.mentionedAt : at);
}

/** Of an entry from before histories were kept only its end is known. */
function beforeItsEnd(entry: MemoryEntry, moment: string): MemoryEntry {
  const stoodThen = entry.status === "superseded" && entry.validTo !== null && entry.validTo > moment;
  return stoodThen ? { ...entry, status: "active", validTo: null, supersededBy: null } : entry;
}

/**
 * The entry as it was believed at a moment (ISO 8601 in UTC); null when nothing of it was known then. Words count from when they
 * were said, whenever they were stored, and corrections by hand from when they were made: each change that counts is made to
 * what was said first, so that a later correction does not show through an older word that came in after it.
 */
export function believedAt(
  { entry, changes }: { readonly entry: MemoryEntry; readonly changes: readonly EntryChange[] },
  moment: string,
): MemoryEntry | null {
  const [first, ...later] = versionsOf(entry, changes);
  if (first === undefined || knownSince(first) > moment) return null;
  if (changes.length === 0) return beforeItsEnd(entry, moment);
  let state = first.entry;
  let former = first.entry;
  for (const version of later) {
    if ((version.saidAt ?? version.at) <= moment) state = replayed(state, former, version);
    former = version.entry;
  }
  return state;
}

/** The fact as it stood at a moment (ISO 8601 in UTC); null when there was none. Until when a former value was meant to last is not kept. */
export function factAt(fact: Fact, moment: string): Fact | null {
  if (fact.createdAt > moment) return null;
  const later = fact.history.findIndex(({ until }) => until > moment);
  const former = fact.history[later];
  if (former === undefined) return fact;
  const history = fact.history.slice(0, later);
  return { ...fact, value: former.value, expiresAt: null, history, updatedAt: history.at(-1)?.until ?? fact.createdAt };
}
