import { afterPlace, all, type Predicate } from "./filter.js";
import type { Row } from "./row.js";
import type { StoreTable } from "./table.js";

export interface PageOptions {
  /** Columns by which the rows are ordered; no two of the rows agree in all of them. */
  readonly order: readonly string[];
  /** Rows of a page, 1 or more. */
  readonly size: number;
  /** Default: all. */
  readonly columns?: readonly string[];
}

/**
 * All rows that a predicate holds for, page by page: however many there are, one page is held. A page begins after the last
 * row of the one before, so that rows that come or go meanwhile shift none.
 */
export async function* pagesOf(
  table: StoreTable,
  where: Predicate,
  { order, size, columns }: PageOptions,
): AsyncGenerator<readonly Row[]> {
  const placeOf = (row: Row) =>
    order.map((column) => ({
      column,
      value: table.design.columns[column] === "number" ? row.number(column) : row.text(column),
    }));
  const orderBy = order.map((column) => ({ column }));
  let last: Row | undefined;
  for (;;) {
    const left = last === undefined ? where : all(where, afterPlace(placeOf(last)));
    const rows = await table.read(left, { orderBy, limit: size, ...(columns === undefined ? {} : { columns }) });
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}
