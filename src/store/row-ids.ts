import type { Predicate } from "./filter.js";
import { ROW_ID } from "./result-rows.js";
import type { ReadOptions, StoreTable } from "./table.js";
import { UntilWritten } from "./until-written.js";

/** Questions of which the ids are kept. */
const KEPT_QUESTIONS = 32;

/** Rows of a scope that are searched. */
export interface Within {
  /** What the scope may read: what is worked out of its rows is kept together. */
  readonly scope: Predicate;
  /** Holds for rows of the scope only. */
  readonly where: Predicate;
}

export type Order = NonNullable<ReadOptions["orderBy"]>;

/** Ids of the rows that a predicate holds for, until anyone writes to the table. */
export class RowIds {
  readonly #ids: UntilWritten<readonly number[]>;

  constructor(private readonly table: StoreTable) {
    this.#ids = new UntilWritten(table, KEPT_QUESTIONS);
  }

  /** In no particular order. */
  of(where: Predicate): Promise<readonly number[]> {
    return this.#ids.of(where, () => this.#read(where, {}));
  }

  /** In an order, the first ones. Default: all. */
  inOrder(where: Predicate, orderBy: Order, limit?: number): Promise<readonly number[]> {
    const options = { orderBy, ...(limit === undefined ? {} : { limit }) };
    return this.#ids.of(JSON.stringify([where, options]), () => this.#read(where, options));
  }

  async #read(where: Predicate, options: ReadOptions): Promise<readonly number[]> {
    const rows = await this.table.read(where, { ...options, columns: [ROW_ID] });
    return rows.map((row) => row.number(ROW_ID));
  }

  clear(): void {
    this.#ids.clear();
  }
}
