import type { WordTable } from "./word-table.js";

/** What Porter's stemmer cuts off, commonest first: the table holds words, the indexes hold stems. */
const ENDINGS: readonly (readonly [from: RegExp, to: string])[] = [
  [/$/, ""],
  [/i$/, "y"],
  [/$/, "e"],
  [/$/, "ing"],
  [/$/, "ed"],
  [/$/, "s"],
  [/$/, "ion"],
  [/$/, "al"],
  [/$/, "er"],
];

/**
 * How alike words are in meaning: the squared cosine of their vectors, 0 for those that point away from each other and for
 * words without a vector. A word is always wholly like itself.
 */
export class WordLikeness {
  readonly #table: WordTable;

  constructor(table: WordTable) {
    this.#table = table;
  }

  /** Likeness of each of `stems` to any word; what was asked before is kept, so one question asks of one instance. */
  to(stems: readonly string[]): (stem: string) => readonly number[] {
    const vectors = stems.map((stem) => this.#unitVector(stem));
    const known = new Map<string, readonly number[]>();
    return (stem) => {
      const found = known.get(stem);
      if (found !== undefined) return found;
      const vector = this.#unitVector(stem);
      const likeness = stems.map((one, index) => (one === stem ? 1 : squaredCosine(vector, vectors[index] ?? null)));
      known.set(stem, likeness);
      return likeness;
    };
  }

  #rankOf(stem: string): number | undefined {
    for (const [from, to] of ENDINGS) {
      const rank = this.#table.ranks.get(stem.replace(from, to));
      if (rank !== undefined) return rank;
    }
    return undefined;
  }

  #unitVector(stem: string): Float64Array | null {
    const rank = this.#rankOf(stem);
    if (rank === undefined) return null;
    const start = rank * this.#table.dimension;
    const vector = Float64Array.from(this.#table.rows.subarray(start, start + this.#table.dimension));
    const norm = Math.hypot(...vector);
    return norm === 0 ? null : vector.map((value) => value / norm);
  }
}

function squaredCosine(left: Float64Array | null, right: Float64Array | null): number {
  if (left === null || right === null) return 0;
  let cosine = 0;
  for (let index = 0; index < left.length; index += 1) cosine += (left[index] ?? 0) * (right[index] ?? 0);
  return Math.max(0, cosine) ** 2;
}
