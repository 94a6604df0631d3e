import type { Chosen } from "./digests.js";
import type { Predicate } from "./filter.js";
import type { IndexedText } from "./found.js";
import { ROW_ID } from "./result-rows.js";
import type { Row } from "./row.js";
import type { FoundId } from "./row-cache.js";
import type { WordBoosts } from "./store.js";
import type { StoreTable } from "./table.js";
import { type NearestOptions, VectorDigest } from "./vector-digest.js";

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

/** Multiplications in one go, some 15 ms; then others have their turn. */
const COMPARED_IN_ONE_GO = 1e7;

/** Ids of rows by the cosine (-1 to 1) with each vector, best first, of vectors that are kept in memory. */
export async function comparedIds(
  chosen: Chosen<VectorDigest>,
  vectors: readonly (readonly number[])[],
  options: NearestOptions,
): Promise<readonly (readonly FoundId[])[]> {
  const found: FoundId[][] = [];
  let compared = 0;
  for (const vector of vectors) {
    if (compared > COMPARED_IN_ONE_GO) {
      compared = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    found.push(VectorDigest.nearest(chosen, vector, options));
    compared += chosen.places.length * vector.length;
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

/** What a ranking reads of a row. */
export function indexedText(row: Row): IndexedText {
  return {
    words: row.text("words"),
    contextWords: row.text("context_words"),
    vector: row.vectorOrNull("vector"),
  };
}

/** Ids of rows by cosine (-1 to 1) for each vector, best first. */
export async function nearestIds(
  table: StoreTable,
  vectors: readonly (readonly number[])[],
  where: Predicate,
  options: NearestOptions,
): Promise<readonly (readonly FoundId[])[]> {
  const floor = options.floor ?? Number.NEGATIVE_INFINITY;
  const lists = await table.nearest(vectors, where, { limit: options.limit, columns: [ROW_ID] });
  return lists.map((list) =>
    list
      .map(({ row, distance }) => ({ rowId: row.number(ROW_ID), score: 1 - distance }))
      .filter(({ score }) => score >= floor),
  );
}
