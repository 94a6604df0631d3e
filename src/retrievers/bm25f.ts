import type { TextProfile, Words } from "./profile.js";
import type { QueryWords } from "./query-words.js";
import type { TextMatches } from "./text-matches.js";

/** How fast a repeated word stops adding (k1), and how much a long text is held against it (b): BM25F, Robertson et al. 2004. */
const SATURATION = 0.8;
const LENGTH_NORMALISATION = 0.3;

/** What a word in a turn that far away counts, against 1 in the text itself. Offset 0: the rest of the same turn. */
const OFFSET_WEIGHTS: ReadonlyMap<number, number> = new Map([
  [0, 0.7],
  [-1, 0.5],
  [1, 0.3],
  [-2, 0.4],
  [2, 0.3],
  [-3, 0.1],
  [3, 0.1],
  [-4, 0.1],
  [4, 0.1],
]);

function lengthFactor({ numbers }: Words, averageLength: number): number {
  return 1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * numbers.length) / averageLength;
}

/** Sums that are used for one text after the other: a question asks of a thousand. */
class Sums {
  readonly own: Float64Array;
  readonly turn: Float64Array;
  readonly others: Float64Array;

  constructor(places: number) {
    this.own = new Float64Array(places);
    this.turn = new Float64Array(places);
    this.others = new Float64Array(places);
  }

  clear(): void {
    this.own.fill(0);
    this.turn.fill(0);
    this.others.fill(0);
  }
}

/** Words in common with the question, weighed by rarity, over the text and the turns around it (BM25F). */
export function bm25f(query: QueryWords, averageLength: number, matches: TextMatches): (text: TextProfile) => number {
  const sums = new Sums(query.weights.length);
  const add = (into: Float64Array, words: Words, weight: number): void => {
    const start = matches.heldBy(words);
    if (start < 0) return;
    const { counts } = matches;
    const share = weight / lengthFactor(words, averageLength);
    for (let place = 0; place < into.length; place += 1) {
      into[place] = (into[place] ?? 0) + share * (counts[start + place] ?? 0);
    }
  };
  return ({ own, around }) => {
    sums.clear();
    add(sums.own, own, 1);
    for (const { offset, words } of around) {
      add(offset === 0 ? sums.turn : sums.others, words, OFFSET_WEIGHTS.get(offset) ?? 0);
    }
    let score = 0;
    for (let place = 0; place < query.weights.length; place += 1) {
      // The text's own words stand in its turn, too: they count once.
      const here = sums.own[place] || sums.turn[place] || 0;
      const frequency = here + (sums.others[place] ?? 0);
      if (frequency > 0)
        score += ((query.weights[place] ?? 0) * frequency * (1 + SATURATION)) / (frequency + SATURATION);
    }
    return score;
  };
}
