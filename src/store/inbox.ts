import { type DialogueTurn, turnPlace } from "../records/index.js";
import { all, equals, exactly, oneOf, type Predicate } from "./filter.js";
import { distinctScopes, hashOf, scopeCells, scopeKey, scopeOf, turnKey } from "./keys.js";
import type { Row } from "./row.js";
import { SCOPE_COLUMNS } from "./schema.js";
import type { ExactScope, Inbox, InboxTask, TurnName, WaitingTurns } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";

export const INBOX: TableDesign = {
  name: "inbox",
  key: "row_key",
  wordColumns: [],
  columns: {
    row_key: "key",
    ...SCOPE_COLUMNS,
    session_id: "text",
    dialogue_id: "text",
    task: "text",
    sequence: "number",
    /** The whole turn as JSON, so that the log can be completed from it. */
    turn: "text",
  },
};

export function waitingTurnOf(row: Row): DialogueTurn {
  const turn: DialogueTurn = JSON.parse(row.text("turn"));
  return turn;
}

export function taskKey(scope: ExactScope, turn: TurnName, task: InboxTask): string {
  return hashOf(turnKey(scope, turn.sessionId, turn.dialogueId), task);
}

/** A turn may wait twice when an `add` was repeated: it is given out once. */
function eachOnce(rows: readonly Row[]): readonly Row[] {
  const seen = new Map<string, Row>();
  for (const row of rows) if (!seen.has(row.text("row_key"))) seen.set(row.text("row_key"), row);
  return [...seen.values()];
}

/** Work still to be done, over LanceDB. */
export class LanceInbox implements Inbox {
  readonly #table: StoreTable;

  constructor(table: StoreTable) {
    this.#table = table;
  }

  async push(scope: ExactScope, turns: readonly DialogueTurn[], tasks: readonly InboxTask[]): Promise<void> {
    await this.#table.append(
      turns.flatMap((turn) =>
        tasks.map((task) => ({
          row_key: taskKey(scope, turn, task),
          ...scopeCells(scope),
          session_id: turn.sessionId,
          dialogue_id: turn.dialogueId,
          task,
          sequence: turn.sequence,
          turn: JSON.stringify(turn),
        })),
      ),
    );
  }

  async pending(
    scope: ExactScope,
    task: InboxTask,
    options: { sessionId?: string; limit?: number } = {},
  ): Promise<readonly DialogueTurn[]> {
    const session = options.sessionId === undefined ? [] : [equals("session_id", options.sessionId)];
    const where = all(exactly(scope), equals("task", task), ...session);
    if (await this.#isEmpty(where)) return [];
    const rows = await this.#table.read(where, {
      columns: ["row_key", "sequence", "turn"],
      orderBy: [{ column: "sequence" }, { column: "row_key" }],
    });
    return eachOnce(rows).slice(0, options.limit).map(waitingTurnOf);
  }

  async waiting(scope: ExactScope, task: InboxTask, turns: readonly TurnName[]): Promise<ReadonlySet<string>> {
    const placeOf = new Map(turns.map((turn) => [taskKey(scope, turn, task), turnPlace(turn)]));
    const where = all(exactly(scope), oneOf("row_key", [...placeOf.keys()]));
    const rows = await this.#table.read(where, { columns: ["row_key"] });
    return new Set(rows.flatMap((row) => placeOf.get(row.text("row_key")) ?? []));
  }

  async count(scope: ExactScope, task: InboxTask): Promise<number> {
    const where = all(exactly(scope), equals("task", task));
    if (await this.#isEmpty(where)) return 0;
    return eachOnce(await this.#table.read(where, { columns: ["row_key"] })).length;
  }

  async done(scope: ExactScope, task: InboxTask, sessionId: string, dialogueIds: readonly string[]): Promise<void> {
    await this.#table.remove(
      all(exactly(scope), equals("task", task), equals("session_id", sessionId), oneOf("dialogue_id", dialogueIds)),
    );
  }

  async doneWith(scope: ExactScope, task: InboxTask, turns: readonly TurnName[]): Promise<void> {
    const keys = turns.map((turn) => taskKey(scope, turn, task));
    await this.#table.remove(all(exactly(scope), oneOf("row_key", keys)));
  }

  async remove(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<void> {
    await this.#table.remove(all(exactly(scope), equals("session_id", sessionId), oneOf("dialogue_id", dialogueIds)));
  }

  async removeAll(scope: ExactScope): Promise<void> {
    await this.#table.remove(exactly(scope));
  }

  /** Every question asks, and mostly nothing waits: that is known until someone writes. */
  async #isEmpty(where: Predicate): Promise<boolean> {
    return (await this.#table.count(where)) === 0;
  }

  async scopes(): Promise<readonly ExactScope[]> {
    return distinctScopes(await this.#table.read(all(), { columns: Object.keys(SCOPE_COLUMNS) }));
  }

  async backlog(task: InboxTask): Promise<readonly WaitingTurns[]> {
    const where = equals("task", task);
    if (await this.#isEmpty(where)) return [];
    const waiting = new Map<string, WaitingTurns>();
    for (const row of await this.#table.read(where, { columns: [...Object.keys(SCOPE_COLUMNS), "sequence"] })) {
      const scope = scopeOf(row);
      const { count, newest } = waiting.get(scopeKey(scope)) ?? { count: 0, newest: 0 };
      const latest = Math.max(newest, row.number("sequence"));
      waiting.set(scopeKey(scope), { scope, count: count + 1, newest: latest });
    }
    return [...waiting.values()];
  }
}
