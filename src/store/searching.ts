import type { Predicate } from "./filter.js";
import type { Row } from "./row.js";
import type { WordBoosts } from "./store.js";
import type { StoreTable } from "./table.js";
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

/** Rows by cosine similarity (-1 to 1) for each vector, best first. */
export async function nearestRows(
  table: StoreTable,
  space: VectorSpace | null,
  vectors: readonly (readonly number[])[],
  where: Predicate,
  options: { limit: number; floor?: number; columns: readonly string[] },
): Promise<readonly (readonly { row: Row; score: number }[])[]> {
  if (space === null) return vectors.map(() => []);
  for (const vector of vectors) checkVector(vector, space);
  const floor = options.floor ?? Number.NEGATIVE_INFINITY;
  const lists = await table.nearest(vectors, where, { limit: options.limit, columns: options.columns });
  return lists.map((list) =>
    list.map(({ row, distance }) => ({ row, score: 1 - distance })).filter(({ score }) => score >= floor),
  );
}
