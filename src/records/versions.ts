import type { MemoryEntry } from "./entry.js";

/**
 * What happened to an entry: made of turns (`extracted`); said again (`joined`); more was said of it (`merged`); newer
 * words took its place (`superseded`); older words were filed under it (`superseding`); contradicted (`conflicted`); a plan
 * that was carried out (`done`); what it rests on is no longer so (`doubted`);
 * corrected by hand (`updated`, `restored`, `pinned`, `unpinned`, `approved`, `rejected`); a source of it was forgotten
 * (`forgotten`). By maintenance: its time was over (`expired`), it was put away since nobody asked for it (`archived`), it was
 * found so often that it came back (`revived`), it was summed up in a pattern or is that pattern (`condensed`); and by hand,
 * such a pattern was taken apart (`expanded`). By a rebuild that was applied: other options make no such statement, or give it
 * another status (`rebuilt`). `stored` is the first version that is known of an entry from before histories were kept.
 */
export type ChangeOperation =
  | "extracted"
  | "joined"
  | "merged"
  | "superseded"
  | "superseding"
  | "conflicted"
  | "done"
  | "doubted"
  | "updated"
  | "restored"
  | "pinned"
  | "unpinned"
  | "approved"
  | "rejected"
  | "forgotten"
  | "expired"
  | "archived"
  | "revived"
  | "condensed"
  | "expanded"
  | "rebuilt"
  | "stored";

/**
 * Who changed an entry: a caller of the library (`user`), a chat model, the library's rules, a stage of the caller's own, a
 * run of maintenance, or nobody knows, since it was before histories were kept.
 */
export type ChangeAuthor = "user" | "model" | "rule" | "stage" | "maintenance" | "unknown";

/** What brought a version about. Plain JSON. */
export interface ChangeCause {
  /** What happened. */
  readonly op: ChangeOperation;
  /** When, ISO 8601 in UTC. */
  readonly at: string;
  /** When the words that led to it were said, ISO 8601 in UTC; absent for a correction by hand. */
  readonly saidAt?: string;
  /** Who did it. */
  readonly by: ChangeAuthor;
  /** Ids of the turns that led to it, as given to `add`; empty for a correction by hand. */
  readonly turnIds: readonly string[];
  /** Why, in a few words; null when nobody said. */
  readonly reason: string | null;
  /** Ids of other entries that had a part in it: the one that took its place, the one that contradicts it. */
  readonly related: readonly string[];
}

/** One version of an entry. Plain JSON. */
export interface EntryVersion extends ChangeCause {
  /** 1 for the first, then one more for each change. */
  readonly version: number;
  /** Names of the fields that this change set; empty for the first version. */
  readonly changed: readonly string[];
  /** The entry as it was after the change. */
  readonly entry: MemoryEntry;
}

/** Lists that mostly grow at their end: kept as how many values there were. */
const GROWING = ["sourceIds", "keywords", "persons", "entities", "supersedes"] as const;
type Growing = (typeof GROWING)[number];

/** Fields that say nothing about what an entry states or has become. */
const UNVERSIONED: ReadonlySet<string> = new Set([
  "updatedAt",
  "accessCount",
  "lastAccessedAt",
  "embeddingModel",
] satisfies (keyof MemoryEntry)[]);

/** One change as it is stored beside the entry: its cause, and what the changed fields were before. */
export interface EntryChange extends ChangeCause {
  /** Former values of the changed fields. */
  readonly before: Partial<MemoryEntry>;
  /** Of lists that only grew: how many values they had. */
  readonly grew: { readonly [list in Growing]?: number };
}

/** The change that made an entry. */
export function firstChange(cause: ChangeCause): EntryChange {
  return { ...cause, before: {}, grew: {} };
}

function unknownOrigin(entry: MemoryEntry): EntryChange {
  const { createdAt: at, sourceIds: turnIds } = entry;
  return firstChange({ op: "stored", at, by: "unknown", turnIds, reason: null, related: [] });
}

/** Equal as JSON, its keys in the same order. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function onlyGrew(before: readonly string[], after: readonly string[]): boolean {
  return before.length < after.length && before.every((value, index) => value === after[index]);
}

function changeBetween(before: MemoryEntry, after: MemoryEntry, cause: ChangeCause): EntryChange | null {
  const now = new Map<string, unknown>(Object.entries(after));
  const differing = Object.entries(before).filter(
    ([field, value]) => !UNVERSIONED.has(field) && !isSameJson(value, now.get(field)),
  );
  if (differing.length === 0) return null;
  const grown = GROWING.filter((field) => onlyGrew(before[field], after[field]));
  const kept = differing.filter(([field]) => !grown.some((name) => name === field));
  return {
    ...cause,
    before: Object.fromEntries(kept),
    grew: Object.fromEntries(grown.map((field) => [field, before[field].length])),
  };
}

/** The changes of an entry with one more; the same list when nothing differs. */
export function withChange(
  changes: readonly EntryChange[],
  before: MemoryEntry,
  after: MemoryEntry,
  cause: ChangeCause,
): readonly EntryChange[] {
  const change = changeBetween(before, after, cause);
  if (change === null) return changes;
  return [...(changes.length === 0 ? [unknownOrigin(before)] : changes), change];
}

function undone(entry: MemoryEntry, { before, grew }: EntryChange): MemoryEntry {
  const shorter = Object.entries(grew).map(([list, length]) => {
    const field = GROWING.find((name) => name === list);
    return [list, field === undefined ? [] : entry[field].slice(0, length)];
  });
  return { ...entry, ...before, ...Object.fromEntries(shorter) };
}

function changedFields({ before, grew }: EntryChange): readonly string[] {
  return [...Object.keys(before), ...Object.keys(grew)];
}

/** Every version of an entry, oldest first; the last one is the entry as it is. */
export function versionsOf(entry: MemoryEntry, changes: readonly EntryChange[]): readonly EntryVersion[] {
  const known = changes.length === 0 ? [unknownOrigin(entry)] : changes;
  const versions: EntryVersion[] = [];
  let state = entry;
  for (const [index, change] of [...known.entries()].reverse()) {
    const { before: _before, grew: _grew, ...cause } = change;
    const isLast = index === known.length - 1;
    const shown = isLast ? state : { ...state, updatedAt: change.at };
    versions.unshift({ ...cause, version: index + 1, changed: changedFields(change), entry: shown });
    state = undone(state, change);
  }
  return versions;
}

/** What is stored for these versions, the last of which is the entry as it is: the inverse of `versionsOf`. */
export function changesOf(versions: readonly EntryVersion[]): readonly EntryChange[] {
  return versions.map(({ version: _version, changed: _changed, entry, ...cause }, index) => {
    const former = versions[index - 1];
    const change = former === undefined ? null : changeBetween(former.entry, entry, cause);
    return change ?? firstChange(cause);
  });
}
