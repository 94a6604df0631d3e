import { chunksWithout, type Remainder, remainderOf, wordsAroundEntry } from "../../graph/index.js";
import { bySession, type DialogueTurn, type MemoryEntry, turnPlace, withChange } from "../../records/index.js";
import type { EntryRow } from "../../store/index.js";
import type { ProofContext } from "../drop-proof.js";
import { activeTwin } from "../twin.js";

/** What stays, but in another form. */
export interface Standing {
  readonly entries: readonly EntryRow[];
  /** The sessions that lose turns, without them. */
  readonly lines: ReadonlyMap<string, Remainder>;
}

/** What being put away under one of these patterns changed of a part, as it was before; null when none put it away. */
function beforePutAway({ entry, changes }: EntryRow, patternIds: ReadonlySet<string>): Partial<MemoryEntry> | null {
  if (entry.status !== "archived" && entry.status !== "superseded") return null;
  const putAway = changes.findLast(({ before, related }) => {
    return before.status !== undefined && related.some((id) => patternIds.has(id));
  });
  if (putAway !== undefined) return putAway.before;
  const isUnder = entry.supersededBy !== null && patternIds.has(entry.supersededBy);
  return isUnder ? { status: "active", supersededBy: null } : null;
}

/** Parts of a pattern that goes with another part of it are what they were before they were summed up. */
async function freedParts(
  { store, scope, now }: ProofContext,
  doomed: readonly MemoryEntry[],
  changed: ReadonlyMap<string, EntryRow>,
): Promise<readonly EntryRow[]> {
  const goes = new Set(doomed.map((entry) => entry.entryId));
  const patterns = doomed.filter(({ derivedFrom }) => derivedFrom.some((id) => goes.has(id)));
  const patternIds = new Set(patterns.map((entry) => entry.entryId));
  const partIds = new Set(patterns.flatMap(({ derivedFrom }) => derivedFrom).filter((id) => !goes.has(id)));
  const freed: EntryRow[] = [];
  for (const stored of partIds.size === 0 ? [] : await store.entries.rows(scope, [...partIds])) {
    const row = changed.get(stored.entry.entryId) ?? stored;
    const before = beforePutAway(row, patternIds);
    if (before === null || (before.status === "active" && (await activeTwin(store, scope, row)) !== null)) continue;
    const entry: MemoryEntry = { ...row.entry, ...before, updatedAt: now };
    const reason = "what summed it up was forgotten";
    const cause = { op: "forgotten", at: now, by: "user", turnIds: [], reason, related: [] } as const;
    freed.push({ ...row, entry, changes: withChange(row.changes, row.entry, entry, cause) });
  }
  return freed;
}

async function remainders(
  { store, scope }: ProofContext,
  turns: readonly DialogueTurn[],
): Promise<ReadonlyMap<string, Remainder>> {
  const gone = new Set(turns.map(turnPlace));
  const found = new Map<string, Remainder>();
  for (const sessionId of bySession(turns).keys()) {
    const session = await store.turns.owned(scope, { sessionId });
    found.set(
      sessionId,
      remainderOf(session, (turn) => gone.has(turnPlace(turn))),
    );
  }
  return found;
}

/** Rows of entries near the forgotten turns that nothing else changes: only their context words are others. */
async function nearRows(
  { store, scope }: ProofContext,
  lines: ReadonlyMap<string, Remainder>,
  without: ReadonlySet<string>,
): Promise<readonly EntryRow[]> {
  const ids = new Set<string>();
  for (const [sessionId, { near }] of lines) {
    const cited = await store.entries.bySources(
      scope,
      near.map((turn) => turn.dialogueId),
    );
    for (const { entryId, sessionId: own } of cited) if (own === sessionId && !without.has(entryId)) ids.add(entryId);
  }
  return ids.size === 0 ? [] : store.entries.rows(scope, [...ids]);
}

function withWordsOf(lines: ReadonlyMap<string, Remainder>): (row: EntryRow) => EntryRow {
  return (row) => {
    const line = lines.get(row.entry.sessionId);
    return line === undefined ? row : { ...row, contextWords: wordsAroundEntry(line, row.entry) };
  };
}

/**
 * Rows that stay when these turns and entries go, without what came from them: proof, words of their neighbours, and the place
 * of a pattern over them.
 * @param proven rows that lose a part of their proof, as they are without it
 */
export async function standingRows(
  context: ProofContext,
  turns: readonly DialogueTurn[],
  doomed: readonly MemoryEntry[],
  proven: ReadonlyMap<string, EntryRow>,
): Promise<Standing> {
  const goes = new Set(doomed.map((entry) => entry.entryId));
  const changed = new Map([...proven].filter(([id]) => !goes.has(id)));
  for (const row of await freedParts(context, doomed, changed)) changed.set(row.entry.entryId, row);
  const lines = await remainders(context, turns);
  const near = await nearRows(context, lines, new Set([...goes, ...changed.keys()]));
  return { entries: [...changed.values(), ...near].map(withWordsOf(lines)), lines };
}

/**
 * Takes the words of the turns that go from the pieces of their neighbours. Read after the turns were buried: what was indexed
 * until then is seen here, and who indexes later looks for himself.
 */
export async function clearNeighbours({ store, scope }: ProofContext, { lines }: Standing): Promise<void> {
  for (const [sessionId, line] of lines) {
    const rows = await chunksWithout(store, scope, sessionId, line);
    if (rows.length > 0) await store.chunks.put(scope, rows);
  }
}
