import type { ForgetCheck } from "../../records/index.js";
import type { MemoryStore, ScrubbedTable } from "../../store/index.js";
import { type ForgetPlan, inStatements } from "./plan.js";

/** Counts what is left of one kind of row. */
type Count = (store: MemoryStore, plan: ForgetPlan) => Promise<number>;

async function sum(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((total, count) => total + count, 0);
}

const lengthOf = async (rows: Promise<readonly unknown[]>): Promise<number> => (await rows).length;

/** Entries that name a forgotten turn, in any version, though no turn of that id is left. */
async function namingEntries(store: MemoryStore, { scope, turns, all }: ForgetPlan): Promise<number> {
  if (all) return lengthOf(store.entries.owned(scope, {}));
  const counts = turns.map(async ({ sessionId, ids }) => {
    const still = new Set((await store.turns.byIds(scope, ids)).map((turn) => turn.dialogueId));
    const cited = await store.entries.bySources(
      scope,
      ids.filter((id) => !still.has(id)),
    );
    return cited.filter((entry) => entry.sessionId === sessionId).length;
  });
  return sum(counts);
}

async function waiting(store: MemoryStore, { scope, turns }: ForgetPlan): Promise<number> {
  const gone = new Map(turns.map(({ sessionId, ids }) => [sessionId, new Set(ids)]));
  const tasks = await Promise.all([store.inbox.pending(scope, "extract"), store.inbox.pending(scope, "index")]);
  return tasks.flat().filter((turn) => gone.get(turn.sessionId)?.has(turn.dialogueId) === true).length;
}

/** Rows that are not buried could be brought back. */
async function unburied(store: MemoryStore, { scope, turns, entryIds }: ForgetPlan): Promise<number> {
  const { tombstones } = store;
  const ofTurns = turns.map(async ({ sessionId, ids }) => {
    return ids.length - (await tombstones.buried(scope, sessionId, ids)).size;
  });
  const ofEntries = inStatements(entryIds).map(async (ids) => {
    return ids.length - (await tombstones.buriedMade(scope, "entry", ids)).size;
  });
  return sum([...ofTurns, ...ofEntries]);
}

const COUNTS: readonly (readonly [ForgetCheck["what"], Count])[] = [
  [
    "entries",
    ({ entries }, { scope, entryIds }) => sum(inStatements(entryIds).map((ids) => lengthOf(entries.rows(scope, ids)))),
  ],
  ["provenance", namingEntries],
  ["turns", ({ turns }, { scope, turns: gone }) => sum(gone.map((one) => lengthOf(turns.owned(scope, one))))],
  [
    "pieces of turns",
    ({ chunks }, { scope, turns }) =>
      sum(turns.map(({ sessionId, ids }) => lengthOf(chunks.byTurns(scope, sessionId, ids)))),
  ],
  ["inbox", waiting],
  [
    "ledger",
    ({ ledger }, { scope, turns }) =>
      sum(turns.map(({ sessionId, ids }) => lengthOf(ledger.citing(scope, sessionId, ids)))),
  ],
  [
    "facts",
    ({ facts }, { scope, facts: gone }) =>
      sum(gone.map(async ({ sessionId, key }) => Number((await facts.get(scope, sessionId, key)) !== null))),
  ],
  ["tombstones", unburied],
];

/** Asks every table for what the plan removed. */
export async function checkRows(store: MemoryStore, plan: ForgetPlan): Promise<readonly ForgetCheck[]> {
  return Promise.all(
    COUNTS.map(async ([what, count]) => ({ what, means: "rows" as const, left: await count(store, plan) })),
  );
}

/** Whether any file is left in which a removed row could still stand. */
export function checkFiles(tables: readonly ScrubbedTable[]): readonly ForgetCheck[] {
  const kept = tables.map(({ filesKept }) => filesKept);
  if (kept.some((count) => count === null)) return [];
  return [{ what: "files", means: "files", left: kept.reduce<number>((total, count) => total + (count ?? 0), 0) }];
}
