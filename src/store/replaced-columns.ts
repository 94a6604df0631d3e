import type * as Lance from "@lancedb/lancedb";
import { absentValue, isNull } from "./filter.js";
import { rowsOf } from "./result-rows.js";
import { cellsOfRow, type Row } from "./row.js";
import { type Columns, missingColumns } from "./schema.js";

/** Rows that are read and written at once. */
const PAGE = 500;

/** Columns of a table of an earlier version whose values lie in one column now. */
export interface FormerColumns {
  /** Those that are no more. */
  readonly fields: Columns;
  /** Every column that the table may have. */
  readonly columns: Columns;
  /** The column that takes their place: text. */
  readonly into: string;
  /** Its value for a row of before. */
  readonly textOf: (row: Row) => string;
}

/**
 * Fills the one column from the former ones, page by page, and drops those when every row has it: so it goes on where a process
 * died. The caller keeps writers away.
 * @param key the unique column of the table
 */
export async function replaceColumns(table: Lance.Table, key: string, former: FormerColumns): Promise<void> {
  const { fields, columns, into, textOf } = former;
  const schema = await table.schema();
  const names = schema.fields.map(({ name }) => String(name));
  const left = names.filter((name) => name in fields);
  if (left.length === 0) return;
  if (missingColumns(schema, [into]).length > 0) {
    await table.addColumns([{ name: into, valueSql: absentValue(columns[into]) }]);
  }
  for (;;) {
    const rows = rowsOf(await table.query().where(isNull(into)).limit(PAGE).toArrow());
    if (rows.length === 0) break;
    const filled = rows.map((row) => ({ ...cellsOfRow(row, columns, names), [into]: textOf(row) }));
    await table.mergeInsert(key).whenMatchedUpdateAll().execute(filled);
  }
  await table.dropColumns(left);
}
