import type * as Lance from "@lancedb/lancedb";
import { type Columns, SCOPE_COLUMNS } from "./schema.js";

/** What is to be known of a table's design. */
interface Design {
  readonly columns: Columns;
  readonly key: string;
}

/** Rows from which the columns that every read and every merge asks for get an index: below, looking at all of them is as quick. */
export const COLUMN_INDEX_FROM = 10_000;

/** Columns of few values, or of few for each user. */
const FEW_VALUES: readonly string[] = ["tenant_id", "agent_id", "status", "state", "task"];

function isScoped({ columns }: Design): boolean {
  return Object.keys(SCOPE_COLUMNS).every((name) => name in columns);
}

/** By column: the key, on which rows are merged, and what tells whose a row is. Without them each read and merge looks at all rows. */
function wantedIndexes(lance: typeof Lance, design: Design): ReadonlyMap<string, Lance.Index> {
  const few = FEW_VALUES.filter((name) => name in design.columns);
  const wanted = new Map(few.map((name) => [name, lance.Index.bitmap()]));
  if (isScoped(design)) wanted.set("user_id", lance.Index.btree());
  return wanted.set(design.key, lance.Index.btree());
}

async function builtColumns(table: Lance.Table): Promise<ReadonlySet<string>> {
  return new Set((await table.listIndices()).flatMap(({ columns }) => columns));
}

/**
 * Gives a table of `from` rows or more the indexes of columns that it has not. Rows that come later are found all the same, and
 * folded in by `optimize`.
 */
export async function keepColumnIndexes(
  lance: typeof Lance,
  table: Lance.Table,
  design: Design,
  from: number,
): Promise<void> {
  if ((await table.countRows()) < from) return;
  const built = await builtColumns(table);
  for (const [column, config] of wantedIndexes(lance, design)) {
    if (!built.has(column)) await table.createIndex(column, { config });
  }
}

/** Builds those that there are anew, since they hold values of rows that were removed. */
export async function rebuildColumnIndexes(lance: typeof Lance, table: Lance.Table, design: Design): Promise<void> {
  const built = await builtColumns(table);
  for (const [column, config] of wantedIndexes(lance, design)) {
    if (built.has(column)) await table.createIndex(column, { config, replace: true });
  }
}
