import { bySession, type ExtractedItem, type WindowRecord, type WindowState } from "../records/index.js";
import { countByState } from "./counts.js";
import {
  all,
  any,
  compares,
  differs,
  EVERY_ROW,
  equals,
  exactly,
  holdsAny,
  listWithout,
  oneOf,
  type Predicate,
  sqlValue,
  targetIsOwnedBy,
} from "./filter.js";
import { distinctScopes, scopeCells, scopedKey, scopeOf } from "./keys.js";
import { pagesOf } from "./pages.js";
import { milliseconds, type Row } from "./row.js";
import { type Cells, SCOPE_COLUMNS } from "./schema.js";
import type { ExactScope, KeptItems, Ledger, OpenWindow, TurnName, WindowChange } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";

const STATES = ["pending", "claimed", "extracted", "stored", "failed"] as const satisfies WindowState[];

export const LEDGER: TableDesign = {
  name: "ledger",
  key: "row_key",
  wordColumns: [],
  columns: {
    row_key: "key",
    ...SCOPE_COLUMNS,
    window_id: "text",
    /** Place among the windows that were cut at once. */
    ordinal: "number",
    session_id: "text",
    turn_ids: "list",
    context_ids: "list",
    state: "text",
    /** What a claimed window was before, else the state. Kept with every change: LanceDB's update knows no CASE. */
    former_state: "text",
    /** "" when nobody holds it. */
    owner: "text",
    lease_expires_at: "number",
    attempts: "number",
    last_error: "text?",
    items: "text",
    created_at: "number",
    updated_at: "number",
  },
};

const OPEN_STATES = ["pending", "claimed", "extracted"] as const satisfies WindowState[];
const OPEN_COLUMNS = [
  ...Object.keys(SCOPE_COLUMNS),
  "window_id",
  "ordinal",
  "owner",
  "lease_expires_at",
  "attempts",
  "created_at",
  "updated_at",
];

type ClaimRequest = Parameters<Ledger["claim"]>[1];

function unclaimedState(window: WindowRecord): WindowState {
  return window.items.length > 0 ? "extracted" : "pending";
}

function cellsOf(scope: ExactScope, window: WindowRecord, ordinal: number): Cells {
  return {
    row_key: scopedKey(scope, window.windowId),
    ...scopeCells(scope),
    window_id: window.windowId,
    ordinal,
    session_id: window.sessionId,
    turn_ids: window.turnIds,
    context_ids: window.contextIds,
    state: window.state,
    former_state: window.state === "claimed" ? unclaimedState(window) : window.state,
    owner: window.owner ?? "",
    lease_expires_at: window.leaseExpiresAt,
    attempts: window.attempts,
    last_error: window.lastError,
    items: JSON.stringify(window.items),
    created_at: milliseconds(window.createdAt),
    updated_at: milliseconds(window.updatedAt),
  };
}

export function windowOf(row: Row): WindowRecord {
  const items: readonly ExtractedItem[] = JSON.parse(row.text("items"));
  return {
    windowId: row.text("window_id"),
    sessionId: row.text("session_id"),
    agentId: row.text("agent_id") || null,
    turnIds: row.list("turn_ids"),
    contextIds: row.list("context_ids"),
    state: row.oneOf("state", STATES),
    owner: row.text("owner") || null,
    leaseExpiresAt: row.number("lease_expires_at"),
    attempts: row.number("attempts"),
    lastError: row.textOrNull("last_error"),
    items,
    createdAt: row.time("created_at"),
    updatedAt: row.time("updated_at"),
  };
}

function openWindowOf(row: Row): OpenWindow {
  return {
    scope: scopeOf(row),
    windowId: row.text("window_id"),
    owner: row.text("owner") || null,
    leaseExpiresAt: row.number("lease_expires_at"),
    attempts: row.number("attempts"),
    changedAt: row.number("updated_at"),
  };
}

function citing(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Predicate {
  const cited = any(holdsAny("turn_ids", dialogueIds), holdsAny("context_ids", dialogueIds));
  return all(exactly(scope), equals("session_id", sessionId), cited);
}

/** With the state that it had before somebody claimed it. */
function claimedOf(row: Row): WindowRecord {
  return { ...windowOf(row), state: row.oneOf("former_state", STATES) };
}

/** Nobody else holds the window under a running lease. */
function isFree(owners: readonly string[], now: number): Predicate {
  return any(oneOf("owner", owners), compares("lease_expires_at", "<=", now));
}

function changedValues(change: WindowChange): Record<string, string> {
  const values: Record<string, string> = {};
  if (change.state !== undefined) {
    values.state = sqlValue(change.state);
    if (change.state !== "claimed") values.former_state = values.state;
  }
  if (change.attempts !== undefined) values.attempts = sqlValue(change.attempts);
  if (change.lastError !== undefined) values.last_error = sqlValue(change.lastError);
  if (change.items !== undefined) values.items = sqlValue(JSON.stringify(change.items));
  if (change.leaseExpiresAt !== undefined) values.lease_expires_at = sqlValue(change.leaseExpiresAt);
  if (change.owner !== undefined) values.owner = sqlValue(change.owner ?? "");
  if (change.updatedAt !== undefined) values.updated_at = sqlValue(milliseconds(change.updatedAt));
  return values;
}

/** The window ledger over LanceDB. */
export class LanceLedger implements Ledger {
  readonly #table: StoreTable;

  constructor(table: StoreTable) {
    this.#table = table;
  }

  async insert(scope: ExactScope, windows: readonly WindowRecord[]): Promise<void> {
    await this.#table.insertNew(windows.map((window, ordinal) => cellsOf(scope, window, ordinal)));
  }

  async list(scope: ExactScope, options: Parameters<Ledger["list"]>[1] = {}): Promise<readonly WindowRecord[]> {
    const parts = [exactly(scope)];
    if (options.states !== undefined) parts.push(oneOf("state", options.states));
    if (options.sessionId !== undefined) parts.push(equals("session_id", options.sessionId));
    if (options.ids !== undefined) parts.push(oneOf("window_id", options.ids));
    return (await this.#oldestFirst(all(...parts))).map(windowOf);
  }

  async *pages(scope: ExactScope, size: number): AsyncGenerator<readonly WindowRecord[]> {
    const order = ["created_at", "window_id"];
    for await (const rows of pagesOf(this.#table, exactly(scope), { order, size })) yield rows.map(claimedOf);
  }

  async holding(
    scope: ExactScope,
    sessionId: string,
    dialogueIds: readonly string[],
  ): Promise<readonly WindowRecord[]> {
    const where = all(exactly(scope), equals("session_id", sessionId), holdsAny("turn_ids", dialogueIds));
    return (await this.#oldestFirst(where)).map(windowOf);
  }

  async heldTurns(scope: ExactScope, turns: readonly TurnName[]): Promise<readonly TurnName[]> {
    const sessions = [...bySession(turns)];
    const ofSessions = oneOf(
      "session_id",
      sessions.map(([sessionId]) => sessionId),
    );
    // Sessions that come together, as in an import, are new most often: one count spares a read for each.
    if (sessions.length > 1 && (await this.#table.count(all(exactly(scope), ofSessions))) === 0) return [];
    const held = await Promise.all(sessions.map(([sessionId, said]) => this.#heldOf(scope, sessionId, said)));
    return held.flat();
  }

  async citing(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly WindowRecord[]> {
    return (await this.#oldestFirst(citing(scope, sessionId, dialogueIds))).map(windowOf);
  }

  /** In one statement, so that what others write to these windows meanwhile stays. */
  async strike(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<void> {
    if (dialogueIds.length === 0) return;
    await this.#table.update(citing(scope, sessionId, dialogueIds), {
      turn_ids: listWithout("turn_ids", dialogueIds),
      context_ids: listWithout("context_ids", dialogueIds),
    });
  }

  async replaceItems(scope: ExactScope, windowId: string, items: WindowRecord["items"]): Promise<void> {
    await this.#table.update(equals("row_key", scopedKey(scope, windowId)), { items: sqlValue(JSON.stringify(items)) });
  }

  /**
   * One conditional update, then a look at who holds what: of two that claim at once, LanceDB commits one, and the other
   * one's condition is judged again on the new rows. An `extracted` window that its owner is still storing is not taken
   * under its running lease.
   */
  async claim(scope: ExactScope, request: ClaimRequest): Promise<readonly WindowRecord[]> {
    const takeable = all(await this.#chosen(scope, request), await this.#takeable(scope, request));
    if ((await this.#table.count(takeable)) > 0) {
      await this.#table.update(takeable, {
        state: sqlValue("claimed"),
        owner: sqlValue(request.owner),
        lease_expires_at: sqlValue(request.leaseExpiresAt),
      });
    }
    const held = all(exactly(scope), equals("state", "claimed"), equals("owner", request.owner));
    return (await this.#oldestFirst(held)).map(claimedOf);
  }

  async update(scope: ExactScope, windowId: string, owner: string, change: WindowChange): Promise<boolean> {
    return (await this.updateAll(scope, [windowId], owner, change)) > 0;
  }

  async updateAll(
    scope: ExactScope,
    windowIds: readonly string[],
    owner: string,
    change: WindowChange,
  ): Promise<number> {
    const keys = windowIds.map((windowId) => scopedKey(scope, windowId));
    const where = all(exactly(scope), oneOf("row_key", keys), equals("owner", owner));
    const values = changedValues(change);
    if (Object.keys(values).length === 0) return this.#table.count(where);
    return this.#table.update(where, values);
  }

  async keepItems(scope: ExactScope, owner: string, kept: readonly KeptItems[]): Promise<ReadonlySet<string>> {
    const byId = new Map(kept.map((one) => [one.windowId, one]));
    const keys = kept.map(({ windowId }) => scopedKey(scope, windowId));
    const rows = await this.#table.read(all(exactly(scope), oneOf("row_key", keys), equals("owner", owner)));
    const changed = rows.flatMap((row) => {
      const window = windowOf(row);
      const change = byId.get(window.windowId);
      if (change === undefined) return [];
      return [cellsOf(scope, { ...window, ...change, state: "extracted" }, row.number("ordinal"))];
    });
    await this.#table.replace(changed, targetIsOwnedBy(owner));
    return new Set(rows.map((row) => row.text("window_id")));
  }

  async count(scope: ExactScope): Promise<{ pending: number; failed: number; stored: number }> {
    return countByState(this.#table, exactly(scope));
  }

  async remove(scope: ExactScope, windowIds: readonly string[]): Promise<number> {
    return this.#table.remove(all(exactly(scope), oneOf("window_id", windowIds)));
  }

  async removeAll(scope: ExactScope): Promise<number> {
    return this.#table.remove(exactly(scope));
  }

  async scopes(): Promise<readonly ExactScope[]> {
    return distinctScopes(await this.#table.read(all(), { columns: Object.keys(SCOPE_COLUMNS) }));
  }

  async backlog(): Promise<readonly OpenWindow[]> {
    return this.#open(EVERY_ROW);
  }

  async #open(whose: Predicate): Promise<readonly OpenWindow[]> {
    const where = all(whose, oneOf("state", OPEN_STATES));
    if ((await this.#table.count(where)) === 0) return [];
    return (await this.#oldestFirst(where, OPEN_COLUMNS)).map(openWindowOf);
  }

  async #chosen(scope: ExactScope, { choose }: ClaimRequest): Promise<Predicate> {
    if (choose === undefined) return EVERY_ROW;
    const chosen = choose(await this.#open(exactly(scope)));
    return oneOf(
      "row_key",
      chosen.map((windowId) => scopedKey(scope, windowId)),
    );
  }

  async #heldOf(scope: ExactScope, sessionId: string, turns: readonly TurnName[]): Promise<TurnName[]> {
    const ids = turns.map(({ dialogueId }) => dialogueId);
    const where = all(exactly(scope), equals("session_id", sessionId), holdsAny("turn_ids", ids));
    const rows = await this.#table.read(where, { columns: ["turn_ids"] });
    const held = new Set(rows.flatMap((row) => row.list("turn_ids")));
    return turns.filter(({ dialogueId }) => held.has(dialogueId));
  }

  async #takeable(scope: ExactScope, request: ClaimRequest): Promise<Predicate> {
    const dead = request.isDead === undefined ? [] : (await this.#owners(scope)).filter(request.isDead);
    const free = isFree(["", request.owner, ...dead], request.now);
    const waiting = request.states.filter((state) => state !== "extracted" && state !== "claimed");
    const extracted = request.states.filter((state) => state === "extracted");
    return all(exactly(scope), any(oneOf("state", waiting), all(oneOf("state", ["claimed", ...extracted]), free)));
  }

  async #owners(scope: ExactScope): Promise<readonly string[]> {
    const where = all(exactly(scope), oneOf("state", ["claimed", "extracted"]), differs("owner", ""));
    const rows = await this.#table.read(where, { columns: ["owner"] });
    return [...new Set(rows.map((row) => row.text("owner")))];
  }

  async #oldestFirst(where: Predicate, columns = Object.keys(LEDGER.columns)): Promise<readonly Row[]> {
    return this.#table.read(where, {
      columns,
      orderBy: [{ column: "created_at" }, { column: "ordinal" }, { column: "window_id" }],
    });
  }
}
