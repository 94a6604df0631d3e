import type { DialogueTurn, Page, Role } from "../records/index.js";
import { beyond, cursorAt, orderOf, type PageOrder } from "./cursor.js";
import {
  all,
  any,
  compares,
  equals,
  exactly,
  type FilterColumns,
  matches,
  oneOf,
  type Predicate,
  readableBy,
} from "./filter.js";
import { KeyedUntilWritten } from "./keyed-until-written.js";
import { distinctScopes, folded, metadataHashes, scopeCells, turnKey } from "./keys.js";
import { pagesOf } from "./pages.js";
import { ROLE_TRUST } from "./role-trust.js";
import { milliseconds, type Row } from "./row.js";
import { type Cells, SCOPE_COLUMNS } from "./schema.js";
import type { ExactScope, TurnLog, TurnName } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";

export const ROLES = ["user", "assistant", "tool", "system"] as const satisfies Role[];

export const TURNS: TableDesign = {
  name: "turns",
  key: "row_key",
  wordColumns: [],
  columns: {
    row_key: "key",
    ...SCOPE_COLUMNS,
    session_id: "text",
    dialogue_id: "text",
    speaker: "text",
    speaker_folded: "text",
    role: "text",
    content: "text",
    timestamp: "number",
    offset_minutes: "number",
    timestamp_is_assumed: "flag",
    content_hash: "text",
    sequence: "number",
    metadata: "text",
    metadata_hashes: "list",
  },
};

const FILTER: FilterColumns = {
  ids: ["dialogue_id"],
  time: "timestamp",
  speaker: "speaker_folded",
  personAsSpeaker: "speaker_folded",
  metadata: "metadata_hashes",
  trust: ROLE_TRUST,
};

/** Turns that were said at the same time go by their arrival. */
const SAID: PageOrder = { columns: ["timestamp", "sequence"], key: "row_key" };
const ARRIVAL = [{ column: "sequence" }, { column: "row_key" }];

function cellsOf(scope: ExactScope, turn: DialogueTurn): Cells {
  return {
    row_key: turnKey(scope, turn.sessionId, turn.dialogueId),
    ...scopeCells(scope),
    session_id: turn.sessionId,
    dialogue_id: turn.dialogueId,
    speaker: turn.speaker,
    speaker_folded: folded(turn.speaker),
    role: turn.role,
    content: turn.content,
    timestamp: milliseconds(turn.timestamp),
    offset_minutes: turn.offsetMinutes,
    timestamp_is_assumed: turn.timestampIsAssumed,
    content_hash: turn.contentHash,
    sequence: turn.sequence,
    metadata: JSON.stringify(turn.metadata),
    metadata_hashes: metadataHashes(turn.metadata),
  };
}

export function turnOf(row: Row): DialogueTurn {
  return {
    dialogueId: row.text("dialogue_id"),
    sessionId: row.text("session_id"),
    speaker: row.text("speaker"),
    role: row.oneOf("role", ROLES),
    content: row.text("content"),
    timestamp: row.time("timestamp"),
    offsetMinutes: row.number("offset_minutes"),
    timestampIsAssumed: row.flag("timestamp_is_assumed"),
    contentHash: row.text("content_hash"),
    sequence: row.number("sequence"),
    metadata: row.metadata("metadata"),
  };
}

function byArrival(left: DialogueTurn, right: DialogueTurn): number {
  return left.sequence - right.sequence;
}

/** Turns that are kept until someone writes to the log. */
const KEPT_TURNS = 2_000;

/** The raw log over LanceDB. */
export class LanceTurnLog implements TurnLog {
  readonly #table: StoreTable;
  /** The turns of a window are asked for when it is extracted and again when it is stored. */
  readonly #found: KeyedUntilWritten<DialogueTurn>;

  constructor(table: StoreTable) {
    this.#table = table;
    this.#found = new KeyedUntilWritten(table, KEPT_TURNS);
  }

  async insert(scope: ExactScope, turns: readonly DialogueTurn[]): Promise<void> {
    await this.#table.insertNew(turns.map((turn) => cellsOf(scope, turn)));
  }

  async find(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly DialogueTurn[]> {
    return this.findAll(
      scope,
      dialogueIds.map((dialogueId) => ({ sessionId, dialogueId })),
    );
  }

  async findAll(scope: ExactScope, names: readonly TurnName[]): Promise<readonly DialogueTurn[]> {
    const keys = names.map(({ sessionId, dialogueId }) => turnKey(scope, sessionId, dialogueId));
    const turns = await this.#found.of([...new Set(keys)], async (missing) => {
      const rows = await this.#table.read(all(exactly(scope), oneOf("row_key", missing)));
      return new Map(rows.map((row) => [row.text("row_key"), turnOf(row)]));
    });
    return [...turns].sort(byArrival);
  }

  async missing<T extends TurnName>(scope: ExactScope, turns: readonly T[]): Promise<readonly T[]> {
    const keys = turns.map((turn) => turnKey(scope, turn.sessionId, turn.dialogueId));
    const rows = await this.#table.read(all(exactly(scope), oneOf("row_key", keys)), { columns: ["row_key"] });
    const held = new Set(rows.map((row) => row.text("row_key")));
    return turns.filter((_, index) => !held.has(keys[index] ?? ""));
  }

  async byIds(scope: ExactScope, dialogueIds: readonly string[]): Promise<readonly DialogueTurn[]> {
    const where = all(readableBy(scope), oneOf("dialogue_id", dialogueIds));
    return (await this.#table.read(where, { orderBy: ARRIVAL })).map(turnOf);
  }

  async owned(
    scope: ExactScope,
    { sessionId, ids }: { sessionId?: string; ids?: readonly string[] } = {},
  ): Promise<readonly DialogueTurn[]> {
    const session = sessionId === undefined ? [] : [equals("session_id", sessionId)];
    const named = ids === undefined ? [] : [oneOf("dialogue_id", ids)];
    return (await this.#table.read(all(exactly(scope), ...session, ...named), { orderBy: ARRIVAL })).map(turnOf);
  }

  async before(
    scope: ExactScope,
    sessionId: string,
    sequence: number,
    limit: number,
  ): Promise<readonly DialogueTurn[]> {
    if (limit < 1) return [];
    const where = all(exactly(scope), equals("session_id", sessionId), compares("sequence", "<", sequence));
    const latestFirst = ARRIVAL.map(({ column }) => ({ column, descending: true }));
    return (await this.#table.read(where, { orderBy: latestFirst, limit })).map(turnOf).reverse();
  }

  async haveEarlier(
    scope: ExactScope,
    turns: readonly Pick<DialogueTurn, "sessionId" | "sequence">[],
  ): Promise<boolean> {
    const earlier = turns.map(({ sessionId, sequence }) =>
      all(equals("session_id", sessionId), compares("sequence", "<", sequence)),
    );
    return (await this.#table.count(all(exactly(scope), any(...earlier)))) > 0;
  }

  async list(scope: ExactScope, options: Parameters<TurnLog["list"]>[1]): Promise<readonly DialogueTurn[]> {
    const { sessionId, filter } = options;
    const session = sessionId === undefined ? undefined : { sessionId };
    const where = all(readableBy(scope), matches(FILTER, session), matches(FILTER, filter));
    return (await this.#table.read(where, { orderBy: ARRIVAL })).map(turnOf);
  }

  async page(scope: ExactScope, options: Parameters<TurnLog["page"]>[1]): Promise<Page<DialogueTurn>> {
    const { filter, limit, cursor, descending = false } = options;
    const order = { ...SAID, descending };
    const rest = cursor === undefined ? [] : [beyond(cursor, order)];
    const rows = await this.#table.read(all(readableBy(scope), matches(FILTER, filter), ...rest), {
      orderBy: orderOf(order),
      ...(limit === undefined ? {} : { limit: limit + 1 }),
    });
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const isLast = last === undefined || items.length === rows.length;
    return { items: items.map(turnOf), ...(isLast ? {} : { cursor: cursorAt(last, order) }) };
  }

  async *pages(scope: ExactScope, size: number): AsyncGenerator<readonly DialogueTurn[]> {
    const order = ["sequence", "session_id", "dialogue_id"];
    for await (const rows of pagesOf(this.#table, exactly(scope), { order, size })) yield rows.map(turnOf);
  }

  async count(scope: ExactScope): Promise<number> {
    return this.#table.count(readableBy(scope));
  }

  async remove(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<number> {
    return this.#remove(all(exactly(scope), equals("session_id", sessionId), oneOf("dialogue_id", dialogueIds)));
  }

  async removeAll(scope: ExactScope): Promise<number> {
    return this.#remove(exactly(scope));
  }

  async scopes(): Promise<readonly ExactScope[]> {
    return distinctScopes(await this.#table.read(all(), { columns: Object.keys(SCOPE_COLUMNS) }));
  }

  /** What was removed is not kept in memory either. */
  async #remove(where: Predicate): Promise<number> {
    try {
      return await this.#table.remove(where);
    } finally {
      this.#found.clear();
    }
  }
}
