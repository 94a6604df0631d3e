import type { MemoryEntry } from "./entry.js";
import type { MemoryFilter } from "./results.js";

/** What two entries have in common. Plain JSON. */
export interface EntryLink {
  /** People that both are about. */
  readonly persons: readonly string[];
  /** Things that both are about. */
  readonly entities: readonly string[];
  /** What both are about; null when that differs. */
  readonly topic: string | null;
  /** The session in which both were said; null when they were said in two. */
  readonly sessionId: string | null;
  /** True: one took the other's place. */
  readonly supersedes: boolean;
}

/** One entry of a timeline. Plain JSON. */
export interface TimelineItem {
  /** The entry. */
  readonly entry: MemoryEntry;
  /** When it happened, else when it was said; ISO 8601 in UTC. */
  readonly at: string;
  /** What it has in common with the item after it, on the next page, too; null for the last one. */
  readonly link: EntryLink | null;
}

/** Options of `timeline`. At least one of `person`, `entity` and `topic` is given; what is given must all hold. */
export interface TimelineOptions {
  /** The name of someone whom the entries are about, whole and without regard to case. */
  readonly person?: string;
  /** The name of a thing that they are about, whole and without regard to case. */
  readonly entity?: string;
  /** What they are about, whole and without regard to case. */
  readonly topic?: string;
  /** Inclusive lower bound of the event time, ISO 8601. */
  readonly after?: string;
  /** Exclusive upper bound, ISO 8601; a bare date includes that whole day. */
  readonly before?: string;
  /** Narrows it further. Without `status`: what is true now, and what was carried out. */
  readonly filter?: MemoryFilter;
  /** Also archived and superseded entries. Default false. */
  readonly includeArchived?: boolean;
  /** Default "oldest": the oldest event first. */
  readonly order?: "oldest" | "newest";
  /** Entries of a page, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly cursor?: string;
}

function shared(left: readonly string[], right: readonly string[]): readonly string[] {
  const names = new Set(right.map((name) => name.toLowerCase()));
  return left.filter((name) => names.has(name.toLowerCase()));
}

/** What two entries have in common. */
export function linkBetween(left: MemoryEntry, right: MemoryEntry): EntryLink {
  const [topic] = left.topic === null || right.topic === null ? [] : shared([left.topic], [right.topic]);
  return {
    persons: shared(left.persons, right.persons),
    entities: shared(left.entities, right.entities),
    topic: topic ?? null,
    sessionId: left.sessionId === right.sessionId ? left.sessionId : null,
    supersedes: left.supersedes.includes(right.entryId) || right.supersedes.includes(left.entryId),
  };
}
