import type { MemoryEntry } from "../../records/index.js";
import { type ExactScope, entryKey, type InspectedEntry, scopedIdKey } from "../../store/index.js";
import {
  type RowRule,
  type ScopedRow,
  type Suspect,
  scoped,
  suspect,
  suspectsAmong,
  type VerifyContext,
} from "./rule.js";
import { whereNothingIsForgotten, whereNothingIsImported } from "./under-way.js";

type Row = ScopedRow<InspectedEntry>;

/** Steps along which a chain of successors is followed. */
const MAX_STEPS = 1_000;

/** Entries that name others of their scope which are neither there nor forgotten. */
async function namingNothing(
  rows: readonly Row[],
  namesOf: (entry: MemoryEntry) => readonly string[],
  detail: string,
  context: VerifyContext,
): Promise<readonly Suspect[]> {
  const { inspection } = context.store;
  const named = rows.flatMap(({ scope, value }) => namesOf(value.entry).map((id) => ({ scope, id })));
  const there = await inspection.existing(
    "entries",
    named.map(({ scope, id }) => entryKey(scope, id)),
  );
  const missing = named.filter(({ scope, id }) => !there.has(entryKey(scope, id)));
  const buried = await inspection.buriedMade("entry", missing);
  const lost = new Set(missing.map(scopedIdKey).filter((key) => !buried.has(key)));
  const naming = rows.filter(({ scope, value }) =>
    namesOf(value.entry).some((id) => lost.has(scopedIdKey({ scope, id }))),
  );
  const left = await whereNothingIsImported(await whereNothingIsForgotten(naming, context), context);
  return left.map((row) => suspect(row, detail));
}

const successorLost: RowRule<InspectedEntry> = {
  name: "successor_missing",
  severity: "fault",
  meaning: "What took the place of an entry is an entry of the same scope, or was forgotten.",
  remedy: "restore(id, version) makes the entry current again.",
  suspects: (rows, context) =>
    namingNothing(
      scoped(rows),
      ({ supersededBy }) => (supersededBy === null ? [] : [supersededBy]),
      "what took its place is not there",
      context,
    ),
};

const partLost: RowRule<InspectedEntry> = {
  name: "pattern_without_part",
  severity: "fault",
  meaning: "What a pattern sums up is there, or was forgotten.",
  remedy: "Forget the pattern: maintain makes it anew of what is there.",
  suspects: (rows, context) =>
    namingNothing(scoped(rows), ({ derivedFrom }) => derivedFrom, "an entry that it sums up is not there", context),
};

/** Of the scope, and so of the key, is the entry that takes the place. */
interface Walk {
  readonly row: Row;
  readonly seen: Set<string>;
  next: string | null;
}

function keyIn(scope: ExactScope, id: string | null): string | null {
  return id === null ? null : entryKey(scope, id);
}

/** Follows the successors of all rows at once, a step with each read. */
async function circling(rows: readonly Row[], { store }: VerifyContext): Promise<readonly Row[]> {
  const found: Row[] = [];
  let open: Walk[] = rows.map((row) => ({
    row,
    seen: new Set([row.ownKey]),
    next: keyIn(row.scope, row.value.entry.supersededBy),
  }));
  for (let step = 0; step < MAX_STEPS; step += 1) {
    for (const { row, seen, next } of open) if (next !== null && seen.has(next)) found.push(row);
    open = open.filter(({ seen, next }) => next !== null && !seen.has(next));
    if (open.length === 0) break;
    const records = await store.inspection.records(open.flatMap(({ next }) => next ?? []));
    for (const walk of open) {
      walk.seen.add(walk.next ?? "");
      walk.next = keyIn(walk.row.scope, records.get(walk.next ?? "")?.supersededBy ?? null);
    }
  }
  return found;
}

const circle: RowRule<InspectedEntry> = {
  name: "succession_circle",
  severity: "fault",
  meaning: "Who follows what took the place of an entry comes to an end.",
  remedy: "restore(id, version, { force: true }) of the one that is true.",
  suspects: async (rows, context) => {
    const retired = scoped(rows).filter(({ value }) => value.entry.supersededBy !== null);
    return (await circling(retired, context)).map((row) => suspect(row, "its successors lead back to it"));
  },
};

const bothCurrent: RowRule<InspectedEntry> = {
  name: "superseded_but_active",
  severity: "fault",
  meaning: "An entry and what it replaced are not both active.",
  remedy: 'update(id, { status: "archived" }) of the one that is not true.',
  suspects: async (rows, context) => {
    const standing = scoped(rows).filter(({ value: { entry } }) => entry.status === "active");
    const keysOf = ({ scope, value }: Row) => value.entry.supersedes.map((id) => entryKey(scope, id));
    const former = await context.store.inspection.records(standing.flatMap(keysOf));
    const isCurrent = (key: string): boolean => former.get(key)?.status === "active";
    return standing
      .filter((row) => keysOf(row).some(isCurrent))
      .map((row) => suspect(row, "what it replaced is active, too"));
  },
};

const status: RowRule<InspectedEntry> = {
  name: "status_contradicts",
  severity: "fault",
  meaning: "An entry is superseded exactly when something took its place.",
  remedy: 'restore(id, version) makes it current, update(id, { status: "archived" }) puts it away.',
  suspects: (rows) =>
    suspectsAmong(rows, ({ entry }) => {
      if ((entry.status === "superseded") === (entry.supersededBy !== null)) return null;
      return entry.supersededBy === null ? "it is superseded by nothing" : `it is ${entry.status}, and was superseded`;
    }),
};

const validity: RowRule<InspectedEntry> = {
  name: "validity_reversed",
  severity: "fault",
  meaning: "No entry ends to hold before it begins to.",
  remedy: "update(id, { validFrom, validTo }) sets both.",
  suspects: (rows) =>
    suspectsAmong(rows, ({ entry: { validFrom, validTo } }) =>
      validFrom !== null && validTo !== null && validTo < validFrom ? `it holds from ${validFrom} to ${validTo}` : null,
    ),
};

export const SUCCESSION_RULES: readonly RowRule<InspectedEntry>[] = [
  successorLost,
  partLost,
  circle,
  bothCurrent,
  status,
  validity,
];
