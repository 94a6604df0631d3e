import { LeastRecent } from "./least-recent.js";
import { ROW_ID } from "./result-rows.js";
import type { Row } from "./row.js";

/** Rows that are kept of one table. */
const KEPT_ROWS = 12_000;
/** Searches until the rows that were found are those that are read: others may fold the table meanwhile. */
const TRIES = 5;

/** A table, as far as its rows are read by their ids. */
export interface RowSource {
  take(rowIds: readonly number[], columns: readonly string[]): Promise<readonly Row[]>;
  birth(): string;
}

/** A row as a search names it. */
export interface FoundId {
  readonly rowId: number;
  readonly score: number;
}

export interface FoundRow<T> extends FoundId {
  readonly value: T;
}

/**
 * Rows of one table as they were read and parsed. A row id stands for one content for ever, so that a search has to read ids
 * and scores only, and a row that is found again costs nothing. Bounded, and emptied when this handle removes rows.
 */
export class RowCache<T> {
  readonly #rows = new LeastRecent<number, T>(KEPT_ROWS);
  #birth = "";

  /** @param parse makes of a row, read with `columns`, what is kept */
  constructor(
    private readonly table: RowSource,
    private readonly columns: readonly string[],
    private readonly parse: (row: Row) => T,
  ) {}

  /** What a search finds, in its order. */
  async find(search: () => Promise<readonly FoundId[]>): Promise<readonly FoundRow<T>[]> {
    this.#forgetFormerTable();
    for (let attempt = 1; ; attempt += 1) {
      const found = await search();
      const kept = found.map(({ rowId }) => this.#rows.get(rowId));
      const read = await this.#read(found.flatMap(({ rowId }, index) => (kept[index] === undefined ? [rowId] : [])));
      const known = found.flatMap(({ rowId, score }, index) => {
        const value = kept[index] ?? read.get(rowId);
        return value === undefined ? [] : [{ rowId, value, score }];
      });
      if (known.length === found.length || attempt === TRIES) return known;
    }
  }

  clear(): void {
    this.#rows.clear();
  }

  /** The ids of a table that was made anew begin anew. */
  #forgetFormerTable(): void {
    const birth = this.table.birth();
    if (birth !== this.#birth) this.clear();
    this.#birth = birth;
  }

  async #read(rowIds: readonly number[]): Promise<ReadonlyMap<number, T>> {
    const rows = new Map<number, T>();
    if (rowIds.length === 0) return rows;
    for (const row of await this.table.take(rowIds, this.columns)) {
      const rowId = row.number(ROW_ID);
      // Of searches that read a row at once, all get the same: who unites what they found goes by that.
      const value = this.#rows.get(rowId) ?? this.parse(row);
      rows.set(rowId, value);
      this.#rows.set(rowId, value);
    }
    return rows;
  }
}
