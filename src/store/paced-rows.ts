import type * as Lance from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import type { Cells } from "./schema.js";

/** Rows that are turned into columns before others have their turn: some ten milliseconds. */
const IN_ONE_GO = 200;

/**
 * Rows as columns, as LanceDB makes them of rows by itself, but in pieces: of thousands at once it would let nothing else of the
 * process run for half a second. A few rows stay as they are.
 */
export async function inColumns(lance: typeof Lance, table: Lance.Table, rows: readonly Cells[]): Promise<Lance.Data> {
  if (rows.length <= IN_ONE_GO) return [...rows];
  const schema = await table.schema();
  let columns: Arrow.Table | null = null;
  for (let start = 0; start < rows.length; start += IN_ONE_GO) {
    await new Promise((resolve) => setImmediate(resolve));
    const piece: Arrow.Table = lance.makeArrowTable(rows.slice(start, start + IN_ONE_GO), { schema });
    columns = columns === null ? piece : columns.concat(piece);
  }
  return columns ?? [];
}
