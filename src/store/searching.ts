import type { Predicate } from "./filter.js";
import type { Row } from "./row.js";
import { dot } from "./similarity.js";
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

interface NearestOptions {
  readonly limit: number;
  readonly floor?: number;
  readonly columns: readonly string[];
}

type ScoredRow = { readonly row: Row; readonly score: number };

/**
 * LanceDB plans a search of many vectors as that many queries, at some eight milliseconds each. Up to so many
 * multiplications (about 50 ms), reading the vectors once and comparing them here costs a fraction.
 */
const COMPARED_HERE = 4e7;
const FEW_VECTORS = 3;

function unit(vector: ArrayLike<number>): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

async function comparedHere(
  table: StoreTable,
  vectors: readonly (readonly number[])[],
  where: Predicate,
  options: NearestOptions,
): Promise<ScoredRow[][]> {
  const rows = await table.readVectors(where, options.columns);
  const known = rows.map(({ row, vector }) => ({ row, vector: unit(vector) }));
  const floor = options.floor ?? Number.NEGATIVE_INFINITY;
  return vectors.map((vector) => {
    const asked = unit(vector);
    const near: ScoredRow[] = [];
    for (const { row, vector: other } of known) {
      const score = dot(asked, other);
      if (score >= floor) near.push({ row, score });
    }
    return near.sort((left, right) => right.score - left.score).slice(0, options.limit);
  });
}

/** Rows by cosine similarity (-1 to 1) for each vector, best first. */
export async function nearestRows(
  table: StoreTable,
  space: VectorSpace | null,
  vectors: readonly (readonly number[])[],
  where: Predicate,
  options: NearestOptions,
): Promise<readonly (readonly ScoredRow[])[]> {
  if (space === null) return vectors.map(() => []);
  for (const vector of vectors) checkVector(vector, space);
  if (vectors.length > FEW_VECTORS) {
    const work = (await table.count(where)) * vectors.length * space.dimension;
    if (work <= COMPARED_HERE) return comparedHere(table, vectors, where, options);
  }
  const floor = options.floor ?? Number.NEGATIVE_INFINITY;
  const lists = await table.nearest(vectors, where, { limit: options.limit, columns: options.columns });
  return lists.map((list) =>
    list.map(({ row, distance }) => ({ row, score: 1 - distance })).filter(({ score }) => score >= floor),
  );
}
