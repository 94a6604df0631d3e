import { ENTRY_STATUSES, type WindowState } from "../records/index.js";
import { EVERY_ROW, equals, oneOf } from "./filter.js";
import type { WholeCounts } from "./store.js";
import type { StoreTable } from "./table.js";

/** The tables whose rows are counted. */
export type CountedTables = Readonly<Record<"turns" | "inbox" | "ledger" | "facts" | "entries", StoreTable>>;

async function byStatus(entries: StoreTable): Promise<WholeCounts["entries"]> {
  const counts = await Promise.all(
    ENTRY_STATUSES.map(async (status) => [status, await entries.count(equals("status", status))] as const),
  );
  return Object.fromEntries(counts.filter(([, rows]) => rows > 0));
}

async function byState(ledger: StoreTable): Promise<WholeCounts["windows"]> {
  const inState = (...states: WindowState[]) => ledger.count(oneOf("state", states));
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
    byStatus(tables.entries),
    tables.facts.count(EVERY_ROW),
    byState(tables.ledger),
    tables.inbox.count(equals("task", "extract")),
  ]);
  return { turns, entries, facts, windows, pendingTurns };
}
