import { cpSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import type { MemoryEntry } from "../../src/index.js";
import { literal } from "../../src/store/filter.js";

/** Writes to a table as no call of the library would. */
export async function withTable<T>(folder: string, name: string, work: (table: Table) => Promise<T>): Promise<T> {
  const lance = await import("@lancedb/lancedb");
  const connection = await lance.connect(folder);
  try {
    return await work(await connection.openTable(name));
  } finally {
    connection.close();
  }
}

/** Sets columns of the rows for which a condition holds. */
export function setColumns(folder: string, table: string, where: string, values: Record<string, string | number>) {
  const valuesSql = Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, typeof value === "string" ? literal(value) : `${value}`]),
  );
  return withTable(folder, table, (one) => one.update({ where, valuesSql }));
}

export function deleteRows(folder: string, table: string, where: string) {
  return withTable(folder, table, (one) => one.delete(where));
}

/** Rows as they are, to be put back later. */
export function rowsWhere(folder: string, table: string, where: string) {
  return withTable(folder, table, (one) => one.query().where(where).toArrow());
}

export function putBack(folder: string, table: string, rows: Awaited<ReturnType<typeof rowsWhere>>) {
  return withTable(folder, table, (one) => one.add(rows));
}

/** Changes the record of the entry that stands on a turn. */
export async function changeRecord(
  folder: string,
  table: string,
  where: string,
  change: (entry: MemoryEntry) => Partial<MemoryEntry>,
): Promise<void> {
  await withTable(folder, table, async (entries) => {
    const [row] = await entries.query().where(where).select(["row_key", "record"]).toArray();
    const entry: MemoryEntry = JSON.parse(row.record);
    const record = literal(JSON.stringify({ ...entry, ...change(entry) }));
    await entries.update({ where: `row_key = '${row.row_key}'`, valuesSql: { record } });
  });
}

/** Cuts the largest data file of a table to a half. */
export function truncateData(folder: string, table: string): void {
  const data = join(folder, `${table}.lance`, "data");
  const sizes = readdirSync(data).map((name) => ({ path: join(data, name), size: statSync(join(data, name)).size }));
  for (const { path, size } of sizes) truncateSync(path, Math.floor(size / 2));
}

export function dropFolder(folder: string, table: string): void {
  rmSync(join(folder, `${table}.lance`), { recursive: true });
}

export function copyTable(folder: string, table: string, name: string): void {
  cpSync(join(folder, `${table}.lance`), join(folder, `${name}.lance`), { recursive: true });
}
