import { connect } from "@lancedb/lancedb";

/** Number of the newest version of each table: what was committed since the folder was made. */
export async function commitsOf(folder: string): Promise<{ [table: string]: number }> {
  const connection = await connect(folder);
  const names = await connection.tableNames();
  const versions = await Promise.all(names.map(async (name) => (await connection.openTable(name)).version()));
  connection.close();
  return Object.fromEntries(names.map((name, index) => [name, versions[index] ?? 0]));
}
