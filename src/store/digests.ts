import type { Predicate } from "./filter.js";
import { ROW_ID } from "./result-rows.js";
import type { Row } from "./row.js";
import type { RowIds, Within } from "./row-ids.js";
import type { StoreTable } from "./table.js";

/** Rows that are worked in before others have their turn: a few milliseconds. */
const IN_ONE_GO = 250;
/** Readings until the rows that hold are those that are known: others may fold the table meanwhile. */
const TRIES = 5;
/** Rows that were changed or removed since stay in a digest, up to as many as the scope has, and this many. */
const SPARE_ROWS = 500;

/** What is worked out of rows. Each row has a place, counted from 0 in the order of `add`. */
export interface Digest {
  /** Columns that it is worked out of. */
  readonly columns: readonly string[];
  add(row: Row): void;
}

/** Rows that a predicate holds for, in the digest of their scope. */
export interface Chosen<T> {
  readonly digest: T;
  /** The id of the row at each place. */
  readonly rowIds: readonly number[];
  /** Places of the rows, each once, in no particular order. */
  readonly places: Int32Array;
}

/** The digest of one scope, and which rows went into it. */
class Digested<T extends Digest> {
  readonly rowIds: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #chosen = new WeakMap<readonly number[], Int32Array>();
  #learning: Promise<unknown> = Promise.resolve();

  constructor(readonly digest: T) {}

  /** Works in the rows that are not known yet. Who asks meanwhile waits, and finds them known. */
  async learn(ids: readonly number[], read: (missing: readonly number[]) => Promise<readonly Row[]>): Promise<void> {
    if (this.#chosen.get(ids)?.length === ids.length || ids.every((id) => this.#places.has(id))) return;
    // Who waited for the one before was told of its failure.
    const before = this.#learning.catch(() => undefined);
    const learning = before.then(async () => {
      const missing = ids.filter((id) => !this.#places.has(id));
      if (missing.length > 0) await this.#add(await read(missing));
    });
    this.#learning = learning;
    await learning;
  }

  /** Of those that are known. */
  placesOf(ids: readonly number[]): Int32Array {
    const known = this.#chosen.get(ids);
    if (known?.length === ids.length) return known;
    const places = Int32Array.from(ids.flatMap((id) => this.#places.get(id) ?? []));
    this.#chosen.set(ids, places);
    return places;
  }

  async #add(rows: readonly Row[]): Promise<void> {
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % IN_ONE_GO === 0) await new Promise((resolve) => setImmediate(resolve));
      const id = row.number(ROW_ID);
      if (this.#places.has(id)) continue;
      this.digest.add(row);
      this.#places.set(id, this.rowIds.push(id) - 1);
    }
  }
}

/**
 * What is worked out of the rows of scopes, and kept in memory. A row id stands for one content for ever, so that after a write
 * only the new rows are read. Bounded by the rows of all scopes together; the least recently asked goes first.
 */
export class Digests<T extends Digest> {
  /** The least recently asked first. */
  readonly #byScope = new Map<Predicate, Digested<T>>();
  #birth = "";

  /** @param limit rows that are kept at most; those of one scope are kept for sure */
  constructor(
    private readonly table: StoreTable,
    private readonly ids: RowIds,
    private readonly make: () => T,
    private readonly limit: number,
  ) {}

  /** True when the scope was asked for lately, so that little is left to read. */
  knows({ scope }: Within): boolean {
    return this.#byScope.has(scope);
  }

  async choose({ scope, where }: Within): Promise<Chosen<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const birth = this.#forgetFormerTable();
      const ids = await this.ids.of(where);
      const kept = await this.#recent(scope);
      await kept.learn(ids, (missing) => this.#read(kept.digest, where, ids.length, missing));
      const places = kept.placesOf(ids);
      const isWhole = places.length === ids.length && this.table.birth() === birth;
      if (!isWhole && attempt < TRIES) continue;
      this.#dropOldest();
      return { digest: kept.digest, rowIds: kept.rowIds, places };
    }
  }

  clear(): void {
    this.#byScope.clear();
  }

  /** The ids of a table that was made anew, or that took the place of another, begin anew. */
  #forgetFormerTable(): string {
    const birth = this.table.birth();
    if (birth !== this.#birth) this.clear();
    this.#birth = birth;
    return birth;
  }

  /** Begins anew where most of what is kept is of rows that are gone. */
  async #recent(scope: Predicate): Promise<Digested<T>> {
    const rows = await this.table.count(scope);
    const known = this.#byScope.get(scope);
    const isWorn = known !== undefined && known.rowIds.length > 2 * rows + SPARE_ROWS;
    const kept = known === undefined || isWorn ? new Digested(this.make()) : known;
    this.#byScope.delete(scope);
    this.#byScope.set(scope, kept);
    return kept;
  }

  /** Most rows of a predicate are read by it, a few by their ids. */
  #read({ columns }: Digest, where: Predicate, chosen: number, missing: readonly number[]): Promise<readonly Row[]> {
    return missing.length * 2 > chosen
      ? this.table.read(where, { columns: [...columns, ROW_ID] })
      : this.table.take(missing, columns);
  }

  #dropOldest(): void {
    let rows = 0;
    for (const { rowIds } of this.#byScope.values()) rows += rowIds.length;
    for (const [scope, { rowIds }] of this.#byScope) {
      if (rows <= this.limit || this.#byScope.size === 1) return;
      this.#byScope.delete(scope);
      rows -= rowIds.length;
    }
  }
}
