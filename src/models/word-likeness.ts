import type { WordTable } from "./word-table.js";

/** What Porter's stemmer cuts off: the table holds words, the indexes hold stems. */
const ENDINGS = ["", "e", "ing", "ed", "s", "es", "ion", "al", "er", "y", "ity", "ment", "ly", "ies"] as const;
/** Stems whose row is remembered: about as many as a large store has. */
const REMEMBERED = 50_000;
const NO_ROW = -1;

/** A word of a question: its stem, and the form that the question has it in. */
export interface AskedWord {
  readonly stem: string;
  readonly form: string;
}

/** Writes how alike a stem is to each word of a question into `into`, from `start` on; answers the best. */
export type StemLikeness = (stem: string, into: Float64Array, start: number) => number;

/**
 * How alike words are in meaning: the squared cosine of their vectors, 0 for those that point away from each other and for
 * words without a vector. A word is always wholly like itself.
 */
export class WordLikeness {
  readonly #table: WordTable;
  readonly #rowsByStem = new Map<string, number>();
  readonly #lengths: Float32Array;

  constructor(table: WordTable) {
    this.#table = table;
    this.#lengths = new Float32Array(table.ranks.size);
  }

  /** Compares stems with these words. */
  to(words: readonly AskedWord[]): StemLikeness {
    const rows = words.map(({ stem, form }) => this.#table.ranks.get(form) ?? this.#rowOf(stem));
    return (stem, into, start) => {
      const row = this.#rowOf(stem);
      let best = 0;
      for (let place = 0; place < words.length; place += 1) {
        const isSame = words[place]?.stem === stem;
        const likeness = isSame ? 1 : this.#squaredCosine(row, rows[place] ?? NO_ROW);
        into[start + place] = likeness;
        if (likeness > best) best = likeness;
      }
      return best;
    };
  }

  #rowOf(stem: string): number {
    const known = this.#rowsByStem.get(stem);
    if (known !== undefined) return known;
    const row = this.#findRow(stem);
    if (this.#rowsByStem.size >= REMEMBERED) this.#rowsByStem.clear();
    this.#rowsByStem.set(stem, row);
    return row;
  }

  /** The commonest word of that stem: ranks begin with it. */
  #findRow(stem: string): number {
    const { ranks } = this.#table;
    let best = stem.endsWith("i") ? (ranks.get(`${stem.slice(0, -1)}y`) ?? NO_ROW) : NO_ROW;
    for (const ending of ENDINGS) {
      const rank = ranks.get(stem + ending);
      if (rank !== undefined && (best === NO_ROW || rank < best)) best = rank;
    }
    return best;
  }

  #squaredCosine(left: number, right: number): number {
    if (left === NO_ROW || right === NO_ROW) return 0;
    const lengths = this.#lengthOf(left) * this.#lengthOf(right);
    return lengths === 0 ? 0 : Math.max(0, this.#dot(left, right) / lengths) ** 2;
  }

  #lengthOf(row: number): number {
    if (this.#lengths[row] === 0) this.#lengths[row] = Math.sqrt(this.#dot(row, row));
    return this.#lengths[row] ?? 0;
  }

  #dot(left: number, right: number): number {
    const { rows, dimension } = this.#table;
    const [leftStart, rightStart] = [left * dimension, right * dimension];
    const fours = dimension - (dimension % 4);
    // Four sums at once keep the processor busier than one: each addition waits for the one before.
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let index = 0; index < fours; index += 4) {
      first += (rows[leftStart + index] ?? 0) * (rows[rightStart + index] ?? 0);
      second += (rows[leftStart + index + 1] ?? 0) * (rows[rightStart + index + 1] ?? 0);
      third += (rows[leftStart + index + 2] ?? 0) * (rows[rightStart + index + 2] ?? 0);
      fourth += (rows[leftStart + index + 3] ?? 0) * (rows[rightStart + index + 3] ?? 0);
    }
    for (let index = fours; index < dimension; index += 1)
      first += (rows[leftStart + index] ?? 0) * (rows[rightStart + index] ?? 0);
    return first + second + third + fourth;
  }
}
