import type { MaintenanceRule, MemoryEntry } from "../../records/index.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the weight of an entry depends on. */
export type Aging = Pick<
  MemoryEntry,
  "pinned" | "importance" | "accessCount" | "lastAccessedAt" | "mentionedAt" | "updatedAt"
>;

/** When an entry was last said, said again, corrected or found. Stored counts as said: an old chat that is imported today starts anew. */
export function touchedAt({ mentionedAt, updatedAt, lastAccessedAt }: Aging): number {
  return Math.max(...[mentionedAt, updatedAt, lastAccessedAt ?? mentionedAt].map((time) => Date.parse(time)));
}

/** How many times longer an entry counts than one that is unimportant and seldom found. */
function stretchOf({ importance, accessCount }: Aging, { important, promoteAfter }: MaintenanceRule): number {
  return (importance >= important ? 2 : 1) * (accessCount >= promoteAfter ? 2 : 1);
}

/**
 * How much an entry still counts, 0 to 1: 1 for `fullDays` since it was touched, then falling in a line to 0 at `archiveDays`.
 * Both are twice as long for an important entry, twice for one that was found `promoteAfter` times, four times for both. A
 * pinned entry always counts in full.
 */
export function decayWeight(entry: Aging, rule: MaintenanceRule, now: number): number {
  if (entry.pinned) return 1;
  const days = (now - touchedAt(entry)) / DAY_MS / stretchOf(entry, rule);
  if (days <= rule.fullDays) return 1;
  return Math.max(0, (rule.archiveDays - days) / (rule.archiveDays - rule.fullDays));
}

/** Entries touched since then count in full, whatever they are. */
export function fullSince(rule: MaintenanceRule, now: number): string {
  return new Date(now - rule.fullDays * DAY_MS).toISOString();
}
