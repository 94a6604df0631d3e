import type { Predicate } from "./filter.js";
import type { IndexedText } from "./found.js";
import { ROW_ID } from "./result-rows.js";
import type { Row } from "./row.js";
import type { FoundId } from "./row-cache.js";
import type { WordBoosts } from "./store.js";
import type { ReadOptions, StoreTable } from "./table.js";
import { cosinesOf, type ScannedVectors, type VectorScans } from "./vector-scan.js";
import { checkVector, type VectorSpace } from "./vectors.js";

const COLUMN_OF_BOOST = Object.freeze({
  words: "words",
  contextWords: "context_words",
  personWords: "person_words",
  keywordWords: "keyword_words",
}) satisfies { [part in keyof WordBoosts]-?: string };

/** Boosts by column, of the columns that the table has. */
export function wordBoosts(boosts: WordBoosts, columns: readonly string[]): ReadonlyMap<string, number> {
  const parts = [
    [COLUMN_OF_BOOST.words, boosts.words],
    [COLUMN_OF_BOOST.contextWords, boosts.contextWords],
    [COLUMN_OF_BOOST.personWords, boosts.personWords],
    [COLUMN_OF_BOOST.keywordWords, boosts.keywordWords],
  ] as const;
  const wanted = new Map<string, number>();
  for (const [column, boost] of parts) {
    if (boost !== undefined && boost > 0 && columns.includes(column)) wanted.set(column, boost);
  }
  return wanted;
}

export interface NearestOptions {
  readonly limit: number;
  readonly floor?: number;
}

/**
 * LanceDB plans each vector of a search as a query of its own, at some six milliseconds. Up to so many numbers, reading all
 * vectors of a scope and comparing them here costs less than one such query, and nothing while nobody writes.
 */
const SCANNED_NUMBERS = 2e6;
/** Many vectors pay for a longer scan: so many numbers for each of them, and no more than these 16 megabytes. */
const SCANNED_FOR_EACH = 2e5;
const SCANNED_FOR_MANY = 4e6;
/** Multiplications in one go, some 15 ms; then others have their turn. */
const COMPARED_IN_ONE_GO = 1e7;

/** The best of them. Sorting numbers first spares an object for each row that is not among them. */
function near(
  scanned: ScannedVectors,
  vector: readonly number[],
  { limit, floor = Number.NEGATIVE_INFINITY }: NearestOptions,
): FoundId[] {
  const cosines = cosinesOf(scanned, vector);
  const last = cosines.length > limit ? (cosines.toSorted().at(-limit) ?? floor) : floor;
  const found: FoundId[] = [];
  // By index: an iterator would make an object for each of some thousand rows.
  for (let index = 0; index < cosines.length; index += 1) {
    const score = cosines[index] ?? 0;
    if (score >= last && score >= floor) found.push({ rowId: scanned.rowIds[index] ?? 0, score });
  }
  return found.sort((left, right) => right.score - left.score).slice(0, limit);
}

/** A table with vectors, and what was read of them last. */
export interface VectorTable {
  readonly table: StoreTable;
  readonly scans: VectorScans;
  readonly space: VectorSpace | null;
}

function isWorthAScan(numbers: number, vectors: number): boolean {
  return numbers <= SCANNED_NUMBERS || numbers <= Math.min(SCANNED_FOR_MANY, vectors * SCANNED_FOR_EACH);
}

async function nearEach(
  scanned: ScannedVectors,
  vectors: readonly (readonly number[])[],
  options: NearestOptions,
): Promise<FoundId[][]> {
  const found: FoundId[][] = [];
  let compared = 0;
  for (const vector of vectors) {
    if (compared > COMPARED_IN_ONE_GO) {
      compared = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    found.push(near(scanned, vector, options));
    compared += scanned.numbers.length;
  }
  return found;
}

/** Ids of rows by BM25 over the boosted columns, best first. */
export async function matchingIds(
  table: StoreTable,
  words: string,
  boosts: ReadonlyMap<string, number>,
  where: Predicate,
  limit: number,
): Promise<readonly FoundId[]> {
  const found = await table.matching(words, boosts, where, { limit, columns: [ROW_ID] });
  return found.map(({ row, score }) => ({ rowId: row.number(ROW_ID), score }));
}

export type Order = NonNullable<ReadOptions["orderBy"]>;

/** Ids of rows by predicate; each scores 1. */
export async function orderedIds(
  table: StoreTable,
  where: Predicate,
  orderBy: Order,
  limit?: number,
): Promise<readonly FoundId[]> {
  const rows = await table.read(where, { columns: [ROW_ID], orderBy, ...(limit === undefined ? {} : { limit }) });
  return rows.map((row) => ({ rowId: row.number(ROW_ID), score: 1 }));
}

/** What a ranking reads of a row. */
export function indexedText(row: Row): IndexedText {
  return {
    words: row.text("words"),
    contextWords: row.text("context_words"),
    vector: row.vectorOrNull("vector"),
  };
}

/** Ids of rows by cosine similarity (-1 to 1) for each vector, best first. */
export async function nearestIds(
  { table, scans, space }: VectorTable,
  vectors: readonly (readonly number[])[],
  where: Predicate,
  options: NearestOptions,
): Promise<readonly (readonly FoundId[])[]> {
  if (space === null) return vectors.map(() => []);
  for (const vector of vectors) checkVector(vector, space);
  if (isWorthAScan((await table.count(where)) * space.dimension, vectors.length)) {
    return nearEach(await scans.of(where), vectors, options);
  }
  const floor = options.floor ?? Number.NEGATIVE_INFINITY;
  const lists = await table.nearest(vectors, where, { limit: options.limit, columns: [ROW_ID] });
  return lists.map((list) =>
    list
      .map(({ row, distance }) => ({ rowId: row.number(ROW_ID), score: 1 - distance }))
      .filter(({ score }) => score >= floor),
  );
}
