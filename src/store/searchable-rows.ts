import type { Predicate } from "./filter.js";
import type { Row } from "./row.js";
import { type FoundId, type FoundRow, RowCache } from "./row-cache.js";
import { matchingIds, type NearestOptions, nearestIds, type Order, orderedIds, wordBoosts } from "./searching.js";
import type { WordBoosts } from "./store.js";
import type { StoreTable } from "./table.js";
import { VectorScans } from "./vector-scan.js";
import type { VectorSpace } from "./vectors.js";

/** A table with vectors as searches see it: they find ids, and each row is read once. */
export class SearchableRows<T> {
  readonly #table: StoreTable;
  readonly #space: () => Promise<VectorSpace | null>;
  readonly #known: RowCache<T>;
  readonly #scans: VectorScans;

  /**
   * @param space what the vectors are; null while none was ever written
   * @param parse makes of a row, read with `columns`, what is found
   */
  constructor(
    table: StoreTable,
    space: () => Promise<VectorSpace | null>,
    columns: readonly string[],
    parse: (row: Row) => T,
  ) {
    this.#table = table;
    this.#space = space;
    this.#known = new RowCache(table, columns, parse);
    this.#scans = new VectorScans(table);
  }

  /** By cosine, best first. */
  async nearest(vector: readonly number[], where: Predicate, options: NearestOptions): Promise<readonly FoundRow<T>[]> {
    const [found = []] = await this.nearestBatch([vector], where, options);
    return found;
  }

  /** By cosine, best first, for each vector. Many vectors share neighbours: each row is read once. */
  async nearestBatch(
    vectors: readonly (readonly number[])[],
    where: Predicate,
    options: NearestOptions,
  ): Promise<readonly (readonly FoundRow<T>[])[]> {
    let lists: readonly (readonly FoundId[])[] = [];
    const found = await this.#known.find(async () => {
      const vectorTable = { table: this.#table, scans: this.#scans, space: await this.#space() };
      lists = await nearestIds(vectorTable, vectors, where, options);
      return lists.flat();
    });
    const rows = new Map(found.map((one) => [one.rowId, one]));
    return lists.map((list) =>
      list.flatMap(({ rowId, score }) => {
        const row = rows.get(rowId);
        return row === undefined ? [] : [{ ...row, score }];
      }),
    );
  }

  /** By words, best first. */
  matching(words: string, boosts: WordBoosts, where: Predicate, limit: number): Promise<readonly FoundRow<T>[]> {
    const byColumn = wordBoosts(boosts, this.#table.design.wordColumns);
    return this.#known.find(() => matchingIds(this.#table, words, byColumn, where, limit));
  }

  /** By predicate; each scores 1. */
  ordered(where: Predicate, order: Order, limit?: number): Promise<readonly FoundRow<T>[]> {
    return this.#known.find(() => orderedIds(this.#table, where, order, limit));
  }

  /** Removes rows; answers how many. What was removed is not kept in memory either. */
  async remove(where: Predicate): Promise<number> {
    try {
      return await this.#table.remove(where);
    } finally {
      this.#known.clear();
      this.#scans.clear();
    }
  }
}
