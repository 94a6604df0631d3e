import { randomUUID } from "node:crypto";
import { all, compares, equals, oneOf, sqlValue } from "./filter.js";
import type { Scored } from "./found.js";
import {
  type Birth,
  ITEMS,
  itemCells,
  itemKey,
  itemOf,
  living,
  namespaceOf,
  selected,
  under,
  vectorCells,
} from "./item-cells.js";
import type { ItemPlace, ItemRow, ItemSelection, ItemTable, ItemWrite } from "./item-table.js";
import type { Row } from "./row.js";
import { SearchableRows } from "./searchable-rows.js";
import type { StoreTable } from "./table.js";
import { checkVector, type VectorSpace } from "./vectors.js";

const CREATION = [{ column: "sequence" }, { column: "row_key" }];
/** Lists serve selection alone, and are slow to read. */
const ITEM_COLUMNS: readonly string[] = Object.keys(ITEMS.columns).filter((column) => ITEMS.columns[column] !== "list");
/** Keys of one predicate: more are asked for in several reads. */
const KEYS_PER_READ = 500;
/** Several items may be written within one millisecond; each still gets a number of its own. */
const SEQUENCES_PER_MS = 1000;
/** Vectors are written before their item: younger ones without an item may belong to a write that is under way. */
const UNDER_WAY_MS = 600_000;

function inChunks(keys: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(keys.length / KEYS_PER_READ);
  return Array.from({ length: count }, (_, index) => keys.slice(index * KEYS_PER_READ, (index + 1) * KEYS_PER_READ));
}

function isLiving(row: Row, now: number): boolean {
  return (row.numberOrNull("expires_at") ?? Number.POSITIVE_INFINITY) > now;
}

function birthOf(row: Row): Birth {
  return { createdAt: row.number("created_at"), sequence: row.number("sequence") };
}

/** Names the one write of an item that a vector belongs to. */
function vectorOwner(item: string, revision: string): string {
  return `${item}:${revision}`;
}

/**
 * Items over LanceDB: values in one table, vectors in another. A write goes vectors, item, removal of the former
 * vectors, so that wherever it breaks off, the old value or the new one stands with its own vectors.
 */
export class LanceItemTable implements ItemTable {
  readonly #items: StoreTable;
  readonly #vectors: StoreTable;
  readonly #space: () => Promise<VectorSpace | null>;
  readonly #owners: SearchableRows<{ readonly item: string; readonly revision: string }>;
  #sequence = 0;

  /** @param space what the vectors are; null while none was ever written */
  constructor(items: StoreTable, vectors: StoreTable, space: () => Promise<VectorSpace | null>) {
    this.#items = items;
    this.#vectors = vectors;
    this.#space = space;
    this.#owners = new SearchableRows(vectors, space, ["item", "revision"], (row) => ({
      item: row.text("item"),
      revision: row.text("revision"),
    }));
  }

  async get(places: readonly ItemPlace[], now: number): Promise<readonly ItemRow[]> {
    return (await this.#byKeys(places.map(itemKey), now)).map(itemOf);
  }

  async put(writes: readonly ItemWrite[], now: number): Promise<void> {
    const space = await this.#space();
    if (space !== null) for (const { vectors } of writes) for (const vector of vectors) checkVector(vector, space);
    const former = await this.#byKeys(writes.map(itemKey));
    const births = new Map(
      former.filter((row) => isLiving(row, now)).map((row) => [row.text("row_key"), birthOf(row)]),
    );
    const revised = writes.map((write) => ({ write, revision: write.vectors.length === 0 ? "" : randomUUID() }));
    const vectors = revised.flatMap(({ write, revision }) => vectorCells(write, revision, now));
    if (vectors.length > 0) await this.#vectors.append(vectors);
    await this.#items.upsert(
      revised.map(({ write, revision }) =>
        itemCells(write, revision, births.get(itemKey(write)) ?? this.#newBirth(now), now),
      ),
    );
    await this.#removeVectors(former);
  }

  async list(selection: ItemSelection, limit?: number): Promise<readonly ItemRow[]> {
    const options = { columns: ITEM_COLUMNS, orderBy: CREATION, ...(limit === undefined ? {} : { limit }) };
    return (await this.#items.read(all(selected(selection), living(selection.now)), options)).map(itemOf);
  }

  async nearest(
    vector: readonly number[],
    selection: ItemSelection,
    vectors: number,
  ): Promise<{ items: readonly Scored<ItemRow>[]; complete: boolean }> {
    const where = selected(selection);
    const found = await this.#owners.nearest(vector, { scope: where, where }, { limit: vectors });
    // Best first: of an item's vectors the first one counts.
    const scores = new Map<string, number>();
    for (const { value, score } of found) {
      const id = vectorOwner(value.item, value.revision);
      if (!scores.has(id)) scores.set(id, score);
    }
    const keys = [...new Set(found.map(({ value }) => value.item))];
    const items = (await this.#byKeys(keys, selection.now)).flatMap((row) => {
      const score = scores.get(vectorOwner(row.text("row_key"), row.text("revision")));
      return score === undefined ? [] : [{ row: itemOf(row), score, sequence: row.number("sequence") }];
    });
    items.sort((left, right) => right.score - left.score || left.sequence - right.sequence);
    return { items: items.map(({ row, score }) => ({ row, score })), complete: found.length < vectors };
  }

  async unindexed(selection: ItemSelection): Promise<readonly ItemRow[]> {
    const where = all(selected(selection), living(selection.now), equals("revision", ""));
    return (await this.#items.read(where, { columns: ITEM_COLUMNS, orderBy: CREATION })).map(itemOf);
  }

  async index(item: ItemWrite, now: number): Promise<boolean> {
    const space = await this.#space();
    if (space !== null) for (const vector of item.vectors) checkVector(vector, space);
    const revision = randomUUID();
    await this.#vectors.append(vectorCells(item, revision, now));
    const asRead = all(equals("row_key", itemKey(item)), equals("revision", ""), equals("value", item.json));
    if ((await this.#items.update(asRead, { revision: sqlValue(revision) })) > 0) return true;
    await this.#owners.remove(equals("revision", revision));
    return false;
  }

  async namespaces(selection: ItemSelection): Promise<readonly (readonly string[])[]> {
    const rows = await this.#items.read(all(selected(selection), living(selection.now)), { columns: ["namespace"] });
    return [...new Map(rows.map((row) => [row.text("namespace"), row])).values()].map(namespaceOf);
  }

  async refresh(items: readonly ItemRow[], now: number): Promise<void> {
    for (const ttlMs of new Set(items.map((item) => item.ttlMs))) {
      if (ttlMs === null) continue;
      const keysOfTtl = items.filter((item) => item.ttlMs === ttlMs).map(itemKey);
      for (const keys of inChunks(keysOfTtl)) {
        const where = all(oneOf("row_key", keys), compares("ttl_ms", "=", ttlMs), living(now));
        await this.#items.update(where, { expires_at: sqlValue(now + ttlMs) });
      }
    }
  }

  async remove(places: readonly ItemPlace[]): Promise<void> {
    const former = await this.#byKeys(places.map(itemKey));
    for (const keys of inChunks(former.map((row) => row.text("row_key")))) {
      await this.#items.remove(oneOf("row_key", keys));
    }
    await this.#removeVectors(former);
  }

  async removeUnder(prefix: readonly string[]): Promise<number> {
    const removed = await this.#items.remove(under(prefix));
    await this.#owners.remove(under(prefix));
    return removed;
  }

  async sweep(now: number): Promise<number> {
    const expired = compares("expires_at", "<=", now);
    const removed = (await this.#items.count(expired)) === 0 ? 0 : await this.#items.remove(expired);
    await this.#removeStrayVectors(now);
    return removed;
  }

  async #removeStrayVectors(now: number): Promise<void> {
    const columns = ["item", "revision", "written_at"];
    const settled = await this.#vectors.read(compares("written_at", "<=", now - UNDER_WAY_MS), { columns });
    if (settled.length === 0) return;
    const items = await this.#items.read(all(), { columns: ["row_key", "revision"] });
    const owners = new Set(items.map((row) => vectorOwner(row.text("row_key"), row.text("revision"))));
    await this.#removeVectors(
      settled.filter((row) => !owners.has(vectorOwner(row.text("item"), row.text("revision")))),
    );
  }

  /** Rows in no particular order; without `now` also expired ones. */
  async #byKeys(keys: readonly string[], now?: number): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (const some of inChunks(keys)) {
      const where = all(oneOf("row_key", some), ...(now === undefined ? [] : [living(now)]));
      found.push(...(await this.#items.read(where, { columns: ITEM_COLUMNS })));
    }
    return found;
  }

  /** Removes the vectors that belong to these rows, which name a revision. */
  async #removeVectors(rows: readonly Row[]): Promise<void> {
    const revisions = new Set(rows.map((row) => row.text("revision")).filter((revision) => revision !== ""));
    for (const some of inChunks([...revisions])) await this.#owners.remove(oneOf("revision", some));
  }

  #newBirth(now: number): Birth {
    this.#sequence = Math.max(this.#sequence + 1, now * SEQUENCES_PER_MS);
    return { createdAt: now, sequence: this.#sequence };
  }
}
