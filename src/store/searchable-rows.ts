import { Digests } from "./digests.js";
import type { Predicate } from "./filter.js";
import { LeastRecent } from "./least-recent.js";
import type { Row } from "./row.js";
import { type FoundId, type FoundRow, RowCache } from "./row-cache.js";
import { type Order, RowIds, type Within } from "./row-ids.js";
import { comparedIds, matchingIds, nearestIds, wordBoosts } from "./searching.js";
import type { WordBoosts } from "./store.js";
import type { StoreTable } from "./table.js";
import { type NearestOptions, VectorDigest } from "./vector-digest.js";
import { checkVector, type VectorSpace } from "./vectors.js";
import { WordDigest } from "./word-digest.js";

/**
 * Up to so many rows of a scope, finding words among those that are kept in memory costs less than asking LanceDB, which plans
 * each column of a search as a query of its own.
 */
const KEPT_WORDS = 20_000;
/** Whoever asks a larger scope than this only once should not wait until its words are kept. */
const KEPT_AT_ONCE = 1_000;
const NOTED_SCOPES = 1_000;
/** The same for vectors, in numbers: 8 megabytes. */
const KEPT_NUMBERS = 2e6;
/** Many vectors pay for a longer reading: so many numbers for each of them, and no more than these 16 megabytes. */
const NUMBERS_FOR_EACH = 2e5;
const KEPT_NUMBERS_FOR_MANY = 4e6;
/** Rows whose vectors are kept, of all scopes. */
const KEPT_VECTORS = 40_000;

function evenly(rowIds: readonly number[]): readonly FoundId[] {
  return rowIds.map((rowId) => ({ rowId, score: 1 }));
}

/** A table with vectors as searches see it: they find ids, and each row is read once. */
export class SearchableRows<T> {
  readonly #table: StoreTable;
  readonly #space: () => Promise<VectorSpace | null>;
  readonly #known: RowCache<T>;
  readonly #ids: RowIds;
  readonly #vectors: Digests<VectorDigest>;
  readonly #words: Digests<WordDigest>;
  /** Large scopes that were asked for words. */
  readonly #askedOnce = new LeastRecent<string, true>(NOTED_SCOPES);

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
    const { wordColumns } = table.design;
    this.#table = table;
    this.#space = space;
    this.#known = new RowCache(table, columns, parse);
    this.#ids = new RowIds(table);
    this.#vectors = new Digests(table, this.#ids, () => new VectorDigest(), KEPT_VECTORS);
    this.#words = new Digests(table, this.#ids, () => new WordDigest(wordColumns), KEPT_WORDS);
  }

  /** By cosine, best first. */
  async nearest(vector: readonly number[], within: Within, options: NearestOptions): Promise<readonly FoundRow<T>[]> {
    return this.#known.find(async () => (await this.#nearest([vector], within, options))[0] ?? []);
  }

  /** By cosine, best first, for each vector. Many vectors share neighbours: each row is read once. */
  async nearestBatch(
    vectors: readonly (readonly number[])[],
    within: Within,
    options: NearestOptions,
  ): Promise<readonly (readonly FoundRow<T>[])[]> {
    let lists: readonly (readonly FoundId[])[] = [];
    const found = await this.#known.find(async () => {
      lists = await this.#nearest(vectors, within, options);
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
  matching(words: string, boosts: WordBoosts, within: Within, limit: number): Promise<readonly FoundRow<T>[]> {
    const byColumn = wordBoosts(boosts, this.#table.design.wordColumns);
    return this.#known.find(async () =>
      (await this.#keepsWords(within))
        ? WordDigest.best(await this.#words.choose(within), words, byColumn, limit)
        : matchingIds(this.#table, words, byColumn, within.where, limit),
    );
  }

  /** By predicate; each scores 1. */
  ordered(where: Predicate, order: Order, limit?: number): Promise<readonly FoundRow<T>[]> {
    return this.#known.find(async () => evenly(await this.#ids.inOrder(where, order, limit)));
  }

  /** By ids; each scores 1. */
  found(search: () => Promise<readonly number[]>): Promise<readonly FoundRow<T>[]> {
    return this.#known.find(async () => evenly(await search()));
  }

  /** Removes rows; answers how many. What was removed is not kept in memory either. */
  async remove(where: Predicate): Promise<number> {
    try {
      return await this.#table.remove(where);
    } finally {
      this.#known.clear();
      this.#ids.clear();
      this.#vectors.clear();
      this.#words.clear();
    }
  }

  async #nearest(vectors: readonly (readonly number[])[], within: Within, options: NearestOptions) {
    const space = await this.#space();
    if (space === null) return vectors.map(() => []);
    for (const vector of vectors) checkVector(vector, space);
    const numbers = (await this.#table.count(within.where)) * space.dimension;
    return numbers <= Math.max(KEPT_NUMBERS, Math.min(KEPT_NUMBERS_FOR_MANY, vectors.length * NUMBERS_FOR_EACH))
      ? comparedIds(await this.#vectors.choose(within), vectors, options)
      : nearestIds(this.#table, vectors, within.where, options);
  }

  async #keepsWords(within: Within): Promise<boolean> {
    const rows = await this.#table.count(within.scope);
    if (rows > KEPT_WORDS) return false;
    if (rows <= KEPT_AT_ONCE || this.#words.knows(within) || this.#askedOnce.get(within.scope) === true) return true;
    this.#askedOnce.set(within.scope, true);
    return false;
  }
}
