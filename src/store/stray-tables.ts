import type { Database } from "./connection.js";
import type { Meta } from "./meta.js";
import type { VectorTables } from "./vector-tables.js";
import { tableNameIn } from "./vectors.js";

/** Tables of vectors that are neither in use nor being filled: what a move left that was broken off, or given up. */
export class StrayTables {
  constructor(
    private readonly database: Database,
    private readonly vectors: VectorTables,
    private readonly meta: Meta,
  ) {}

  async drop(): Promise<void> {
    for (const table of await this.names()) await this.database.dropTable(table);
  }

  async names(): Promise<readonly string[]> {
    const names = this.vectors.tables.map(({ design }) => design.name);
    const isOurs = (table: string): boolean => names.includes(table.replace(/_\d+$/, ""));
    const move = await this.meta.vectorMove();
    const filled = move === null ? [] : names.map((name) => tableNameIn(move, name));
    const kept = new Set([...this.vectors.tables.map(({ name }) => name), ...filled]);
    return (await this.database.tableNames()).filter((table) => isOurs(table) && !kept.has(table));
  }
}
