import { bestOf } from "./best-of.js";
import type { Chosen, Digest } from "./digests.js";
import type { Row } from "./row.js";
import type { FoundId } from "./row-cache.js";

/** How fast a repeated word stops adding (k1), and how much a long text is held against it (b): BM25 as LanceDB's index has it. */
const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.75;
/** A place and a count share one number: so many counts are told apart. */
const COUNTS = 64;

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
}

/** Which rows are asked for, by place. */
interface Asked {
  readonly places: Int32Array;
  readonly isAsked: Uint8Array;
}

/** For each word of one column the rows that hold it. */
class Postings {
  /** Place times `COUNTS`, and how often the word stands there. */
  readonly #byWord = new Map<string, number[]>();
  readonly #lengths: number[] = [];

  add(text: string): void {
    const words = wordsOf(text);
    const place = this.#lengths.push(words.length) - 1;
    for (const word of words) this.#note(word, place);
  }

  /** Adds to the score of each asked row what its words are worth. */
  score(scores: Float32Array, words: readonly string[], asked: Asked, boost: number): void {
    const average = this.#averageLength(asked.places);
    for (const word of words) {
      const postings = this.#byWord.get(word) ?? [];
      const weight = boost * rarity(holding(postings, asked), asked.places.length);
      for (let index = 0; index < postings.length; index += 1) {
        const posting = postings[index] ?? 0;
        const place = Math.floor(posting / COUNTS);
        if (asked.isAsked[place] === 0) continue;
        const count = posting % COUNTS;
        const length = 1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * (this.#lengths[place] ?? 0)) / average;
        const share = (count * (SATURATION + 1)) / (count + SATURATION * length);
        scores[place] = (scores[place] ?? 0) + weight * share;
      }
    }
  }

  #note(word: string, place: number): void {
    const postings = this.#byWord.get(word);
    const first = place * COUNTS + 1;
    if (postings === undefined) {
      this.#byWord.set(word, [first]);
      return;
    }
    const last = postings.at(-1) ?? 0;
    if (Math.floor(last / COUNTS) !== place) postings.push(first);
    else if (last % COUNTS < COUNTS - 1) postings[postings.length - 1] = last + 1;
  }

  #averageLength(places: Int32Array): number {
    let sum = 0;
    for (let index = 0; index < places.length; index += 1) sum += this.#lengths[places[index] ?? 0] ?? 0;
    return Math.max(1, sum / Math.max(1, places.length));
  }
}

/** How many of the asked rows hold a word. */
function holding(postings: readonly number[], { isAsked }: Asked): number {
  let rows = 0;
  for (let index = 0; index < postings.length; index += 1) {
    rows += isAsked[Math.floor((postings[index] ?? 0) / COUNTS)] ?? 0;
  }
  return rows;
}

/** BM25's inverse document frequency. */
function rarity(holding: number, rows: number): number {
  return Math.log(1 + (rows - holding + 0.5) / (holding + 0.5));
}

function askedOf({ places, rowIds }: Chosen<unknown>): Asked {
  const isAsked = new Uint8Array(rowIds.length);
  for (let index = 0; index < places.length; index += 1) isAsked[places[index] ?? 0] = 1;
  return { places, isAsked };
}

/** The words of rows, turned round: a full-text index in memory. */
export class WordDigest implements Digest {
  readonly columns: readonly string[];
  readonly #postings: ReadonlyMap<string, Postings>;

  constructor(columns: readonly string[]) {
    this.columns = columns;
    this.#postings = new Map(columns.map((column) => [column, new Postings()]));
  }

  add(row: Row): void {
    for (const [column, postings] of this.#postings) postings.add(row.textOrNull(column) ?? "");
  }

  /** Rows by the sum of BM25 over the boosted columns, best first, of those that hold a word. */
  static best(
    chosen: Chosen<WordDigest>,
    words: string,
    boosts: ReadonlyMap<string, number>,
    limit: number,
  ): FoundId[] {
    const asked = askedOf(chosen);
    const sought = wordsOf(words);
    const scores = new Float32Array(chosen.rowIds.length);
    for (const [column, boost] of boosts) {
      chosen.digest.#postings.get(column)?.score(scores, sought, asked, boost);
    }
    return bestOf(scores, chosen.rowIds, { limit, floor: Number.MIN_VALUE });
  }
}
