import { all, equals, targetIsFree } from "./filter.js";
import { hashOf } from "./keys.js";
import type { Claims } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";

/** The names of claims hold user ids: only their hashes are kept. */
export const CLAIMS: TableDesign = {
  name: "claims",
  key: "row_key",
  wordColumns: [],
  columns: { row_key: "key", owner: "text", lease_expires_at: "number" },
};

/** Leases over LanceDB: a conditional merge, then a look at who holds the row. */
export class LanceClaims implements Claims {
  readonly #table: StoreTable;

  constructor(table: StoreTable) {
    this.#table = table;
  }

  async acquire(name: string, request: Parameters<Claims["acquire"]>[1]): Promise<boolean> {
    const { owner, now, leaseExpiresAt, isDead } = request;
    const key = hashOf(name);
    const holder = await this.#holder(key);
    if (holder !== null && holder.owner !== owner && holder.leaseExpiresAt > now && !isDead?.(holder.owner))
      return false;
    const free = holder !== null && isDead?.(holder.owner) ? [owner, holder.owner] : [owner];
    await this.#table.upsert([{ row_key: key, owner, lease_expires_at: leaseExpiresAt }], targetIsFree(free, now));
    return (await this.#holder(key))?.owner === owner;
  }

  async release(name: string, owner: string): Promise<void> {
    await this.#table.remove(all(equals("row_key", hashOf(name)), equals("owner", owner)));
  }

  async #holder(key: string): Promise<{ owner: string; leaseExpiresAt: number } | null> {
    const [row] = await this.#table.read(equals("row_key", key), { limit: 1 });
    return row === undefined ? null : { owner: row.text("owner"), leaseExpiresAt: row.number("lease_expires_at") };
  }
}
