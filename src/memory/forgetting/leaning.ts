import { indexWords } from "../../language/index.js";
import { bySession, changesOf, type DialogueTurn, type MemoryEntry, versionsOf } from "../../records/index.js";
import type { EntryRow } from "../../store/index.js";
import type { ProofContext } from "../drop-proof.js";

/** What becomes of entries that say what only a forgotten turn said, though other turns prove them. */
export interface Leaning {
  readonly entryIds: readonly string[];
  /** The turns that prove them, which are read once more without the forgotten ones. */
  readonly reread: readonly DialogueTurn[];
  /** Rows that stay, without the versions that use such words. */
  readonly cleaned: readonly EntryRow[];
}

const DAYS = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)));
const NAMES_IN_DATES = DAYS.map((day) =>
  day.toLocaleDateString("en", { month: "long", weekday: "long", timeZone: "UTC" }),
);
/** Days, hours and years: an entry has them from the calendar, not from another turn. */
const IN_DATES = /^(\d{1,2}|(19|20)\d\d)$/;

function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => indexWords(text).split(" ")).filter((word) => word !== ""));
}

function carries(entry: MemoryEntry, lost: ReadonlySet<string>): boolean {
  const { losslessRestatement, keywords, persons, entities, topic, location, attributes } = entry;
  const said = [losslessRestatement, ...keywords, ...persons, ...entities, topic ?? "", location ?? ""];
  return [...wordsOf([...said, ...Object.values(attributes)])].some((word) => lost.has(word));
}

/** What a person wrote is that person's word, wherever it came from. */
function isWrittenByHand({ entry, changes }: EntryRow): boolean {
  return versionsOf(entry, changes).some(
    ({ op, changed }) => op === "updated" && changed.includes("losslessRestatement"),
  );
}

/** The row without the former versions that say something else with such words; the same row when none does. */
function withoutVersions(row: EntryRow, lost: ReadonlySet<string>): EntryRow {
  const versions = versionsOf(row.entry, row.changes);
  const { losslessRestatement: text } = row.entry;
  const kept = versions.filter(({ entry }) => entry.losslessRestatement === text || !carries(entry, lost));
  return kept.length === versions.length ? row : { ...row, changes: changesOf(kept) };
}

interface NearSession {
  /** Turns that were read in one window with those that go. */
  readonly kept: readonly DialogueTurn[];
  /** Words that only those that go said. */
  readonly lost: ReadonlySet<string>;
}

async function nearSession(
  { store, scope }: ProofContext,
  sessionId: string,
  turns: readonly DialogueTurn[],
): Promise<NearSession> {
  const gone = new Set(turns.map((turn) => turn.dialogueId));
  const windows = await store.ledger.citing(scope, sessionId, [...gone]);
  const around = [...new Set(windows.flatMap(({ turnIds, contextIds }) => [...turnIds, ...contextIds]))];
  const left = around.filter((id) => !gone.has(id));
  const kept = left.length === 0 ? [] : await store.turns.find(scope, sessionId, left);
  const others = wordsOf([...kept.flatMap(({ content, speaker }) => [content, speaker]), ...NAMES_IN_DATES]);
  const lost = [...wordsOf(turns.map((turn) => turn.content))].filter((word) => !others.has(word));
  return { kept, lost: new Set(lost.filter((word) => !IN_DATES.test(word))) };
}

async function leaningWithin(
  context: ProofContext,
  sessionId: string,
  turns: readonly DialogueTurn[],
  proven: ReadonlyMap<string, EntryRow>,
): Promise<Leaning> {
  const { store, scope } = context;
  const { kept, lost } = await nearSession(context, sessionId, turns);
  if (kept.length === 0 || lost.size === 0) return { entryIds: [], reread: [], cleaned: [] };
  const ids = kept.map((turn) => turn.dialogueId);
  const near = (await store.entries.bySources(scope, ids)).filter((entry) => entry.sessionId === sessionId);
  const stored = await store.entries.rows(
    scope,
    near.map((entry) => entry.entryId),
  );
  const rows = stored.map((row) => proven.get(row.entry.entryId) ?? row);
  const leaning = rows.filter((row) => carries(row.entry, lost) && !isWrittenByHand(row));
  const proof = new Set(leaning.flatMap(({ entry }) => entry.sourceIds));
  const cleaned = rows.filter((row) => !leaning.includes(row)).map((row) => [row, withoutVersions(row, lost)] as const);
  return {
    entryIds: leaning.map(({ entry }) => entry.entryId),
    reread: kept.filter((turn) => proof.has(turn.dialogueId)),
    cleaned: cleaned.flatMap(([row, clean]) => (row === clean ? [] : [clean])),
  };
}

/**
 * Entries that were read with the forgotten turns in sight and use words that only these said: a name in the place of a
 * pronoun, a quoted sentence, two turns in one statement. Nobody can take such words out again, so the entry goes, and the
 * turns that prove it are read once more.
 * @param proven rows that lose a part of their proof, as they are without it
 */
export async function leaningOn(
  context: ProofContext,
  turns: readonly DialogueTurn[],
  proven: ReadonlyMap<string, EntryRow>,
): Promise<Leaning> {
  const found = await Promise.all(
    [...bySession(turns)].map(([sessionId, group]) => leaningWithin(context, sessionId, group, proven)),
  );
  return {
    entryIds: found.flatMap(({ entryIds }) => entryIds),
    reread: found.flatMap(({ reread }) => reread),
    cleaned: found.flatMap(({ cleaned }) => cleaned),
  };
}
