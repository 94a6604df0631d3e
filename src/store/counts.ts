import { ENTRY_STATUSES, type WindowState } from "../records/index.js";
import { all, EVERY_ROW, equals, oneOf, type Predicate } from "./filter.js";
import type { WholeCounts } from "./store.js";
import type { StoreTable } from "./table.js";

/** The tables whose rows are counted. */
export type CountedTables = Readonly<Record<"turns" | "inbox" | "ledger" | "facts" | "entries", StoreTable>>;

/** How many entries there are in each status, of those for which a predicate holds. */
export async function countByStatus(entries: StoreTable, where: Predicate): Promise<WholeCounts["entries"]> {
  const counts = await Promise.all(
    ENTRY_STATUSES.map(async (status) => [status, await entries.count(all(where, equals("status", status)))] as const),
  );
  return Object.fromEntries(counts.filter(([, rows]) => rows > 0));
}

/** How many windows wait, failed and are stored, of those for which a predicate holds. */
export async function countByState(ledger: StoreTable, where: Predicate): Promise<WholeCounts["windows"]> {
  const inState = (...states: WindowState[]) => ledger.count(all(where, oneOf("state", states)));
  const [pending, failed, stored] = await Promise.all([
    inState("pending", "claimed", "extracted"),
    inState("failed"),
    inState("stored"),
  ]);
  return { pending, failed, stored };
}

/** How much there is over all scopes: numbers alone, which tell of no scope. */
export async function wholeCounts(tables: CountedTables): Promise<WholeCounts> {
  const [turns, entries, facts, windows, pendingTurns] = await Promise.all([
    tables.turns.count(EVERY_ROW),
    countByStatus(tables.entries, EVERY_ROW),
    tables.facts.count(EVERY_ROW),
    countByState(tables.ledger, EVERY_ROW),
    tables.inbox.count(equals("task", "extract")),
  ]);
  return { turns, entries, facts, windows, pendingTurns };
}
