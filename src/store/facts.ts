import type { Fact } from "../records/index.js";
import { all, equals, exactly, oneOf, type Predicate, readableBy } from "./filter.js";
import { distinctScopes, scopeCells, scopedKey } from "./keys.js";
import { pagesOf } from "./pages.js";
import { milliseconds, millisecondsOrNull, type Row } from "./row.js";
import { type Cells, SCOPE_COLUMNS } from "./schema.js";
import type { ExactScope, FactTable } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";
import { UntilWritten } from "./until-written.js";

export const FACTS: TableDesign = {
  name: "facts",
  key: "row_key",
  wordColumns: [],
  columns: {
    row_key: "key",
    ...SCOPE_COLUMNS,
    session_id: "text",
    fact_key: "text",
    value: "text",
    category: "text",
    expires_at: "number?",
    history: "text",
    created_at: "number",
    updated_at: "number",
  },
};

/** Scopes whose facts are kept until someone writes one: every question asks for them. */
const KEPT_LISTS = 200;

export function factRowKey(scope: ExactScope, { sessionId, key }: Pick<Fact, "sessionId" | "key">): string {
  return scopedKey(scope, sessionId, key);
}

function cellsOf(scope: ExactScope, fact: Fact): Cells {
  return {
    row_key: factRowKey(scope, fact),
    ...scopeCells(scope),
    session_id: fact.sessionId,
    fact_key: fact.key,
    value: fact.value,
    category: fact.category,
    expires_at: millisecondsOrNull(fact.expiresAt),
    history: JSON.stringify(fact.history),
    created_at: milliseconds(fact.createdAt),
    updated_at: milliseconds(fact.updatedAt),
  };
}

export function factOf(row: Row): Fact {
  const history: Fact["history"] = JSON.parse(row.text("history"));
  return {
    key: row.text("fact_key"),
    value: row.text("value"),
    category: row.text("category"),
    sessionId: row.text("session_id"),
    expiresAt: row.timeOrNull("expires_at"),
    history,
    createdAt: row.time("created_at"),
    updatedAt: row.time("updated_at"),
  };
}

/** Key-values over LanceDB. */
export class LanceFactTable implements FactTable {
  readonly #table: StoreTable;
  readonly #lists: UntilWritten<readonly Fact[]>;

  constructor(table: StoreTable) {
    this.#table = table;
    this.#lists = new UntilWritten(table, KEPT_LISTS);
  }

  async put(scope: ExactScope, fact: Fact): Promise<void> {
    await this.#table.upsert([cellsOf(scope, fact)]);
  }

  async insert(scope: ExactScope, facts: readonly Fact[]): Promise<void> {
    await this.#table.insertNew(facts.map((fact) => cellsOf(scope, fact)));
  }

  async missing(scope: ExactScope, facts: readonly Fact[]): Promise<readonly Fact[]> {
    const keys = facts.map((fact) => factRowKey(scope, fact));
    const rows = await this.#table.read(oneOf("row_key", keys), { columns: ["row_key"] });
    const held = new Set(rows.map((row) => row.text("row_key")));
    return facts.filter((_, index) => !held.has(keys[index] ?? ""));
  }

  async *pages(scope: ExactScope, size: number): AsyncGenerator<readonly Fact[]> {
    const order = ["created_at", "session_id", "fact_key"];
    for await (const rows of pagesOf(this.#table, exactly(scope), { order, size })) yield rows.map(factOf);
  }

  async get(scope: ExactScope, sessionId: string, key: string): Promise<Fact | null> {
    const [row] = await this.#table.read(equals("row_key", factRowKey(scope, { sessionId, key })), { limit: 1 });
    return row === undefined ? null : factOf(row);
  }

  async list(scope: ExactScope, options: Parameters<FactTable["list"]>[1]): Promise<readonly Fact[]> {
    const { sessionId, category } = options;
    const now = milliseconds(options.now);
    const facts = await this.#lists.of(readableBy(scope), () => this.#read(readableBy(scope)));
    const asked = facts.filter(
      (fact) =>
        (fact.expiresAt === null || milliseconds(fact.expiresAt) > now) &&
        (sessionId === undefined || fact.sessionId === sessionId) &&
        (category === undefined || fact.category === category),
    );
    // Who gets facts may do with them what he likes.
    return structuredClone(asked);
  }

  async owned(scope: ExactScope, sessionId?: string): Promise<readonly Fact[]> {
    return this.#read(all(exactly(scope), ...(sessionId === undefined ? [] : [equals("session_id", sessionId)])));
  }

  async count(scope: ExactScope): Promise<number> {
    return this.#table.count(readableBy(scope));
  }

  async remove(scope: ExactScope, sessionId: string, key: string): Promise<boolean> {
    return (await this.#table.remove(equals("row_key", factRowKey(scope, { sessionId, key })))) > 0;
  }

  async removeAll(scope: ExactScope): Promise<number> {
    return this.#table.remove(exactly(scope));
  }

  async scopes(): Promise<readonly ExactScope[]> {
    return distinctScopes(await this.#table.read(all(), { columns: Object.keys(SCOPE_COLUMNS) }));
  }

  async #read(where: Predicate): Promise<readonly Fact[]> {
    const orderBy = [{ column: "created_at" }, { column: "row_key" }];
    return (await this.#table.read(where, { orderBy })).map(factOf);
  }
}
