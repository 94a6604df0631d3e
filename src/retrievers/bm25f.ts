import type { TextProfile } from "./profile.js";

/** How fast a repeated word stops adding (k1), and how much a long text is held against it (b): BM25F, Robertson et al. 2004. */
const SATURATION = 0.8;
const LENGTH_NORMALISATION = 0.3;

/** What a word in a turn that far away counts, against 1 in the text itself. Offset 0: the rest of the same turn. */
const PLACE_WEIGHTS: ReadonlyMap<number, number> = new Map([
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

/** The telling words of a question. */
export interface QueryWords {
  /** How much each says, by its place in the question. */
  readonly weights: readonly number[];
  /** The number of each word (`Profiles`), in the order of the question. */
  readonly numbers: readonly number[];
  /** The place of a word by its number. */
  readonly placeOf: ReadonlyMap<number, number>;
}

/** Adds to each word of the question how often it stands here, against the length of the text. */
function addFrequencies(sums: Float64Array, words: Int32Array, query: QueryWords, share: number): void {
  for (const word of words) {
    const place = query.placeOf.get(word);
    if (place !== undefined) sums[place] = (sums[place] ?? 0) + share;
  }
}

function lengthFactor(words: Int32Array, averageLength: number): number {
  return 1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * words.length) / averageLength;
}

/** Words in common with the question, weighed by rarity, over the text and the turns around it (BM25F). */
export function bm25f({ own, around }: TextProfile, query: QueryWords, averageLength: number): number {
  const inOwn = new Float64Array(query.weights.length);
  addFrequencies(inOwn, own, query, 1 / lengthFactor(own, averageLength));
  const sums = new Float64Array(query.weights.length);
  const inTurn = new Float64Array(query.weights.length);
  for (const [offset, words] of around) {
    const share = (PLACE_WEIGHTS.get(offset) ?? 0) / lengthFactor(words, averageLength);
    addFrequencies(offset === 0 ? inTurn : sums, words, query, share);
  }
  let score = 0;
  for (const [place, weight] of query.weights.entries()) {
    // The text's own words stand in its turn, too: they count once.
    const here = inOwn[place] || inTurn[place] || 0;
    const frequency = here + (sums[place] ?? 0);
    if (frequency > 0) score += (weight * frequency * (1 + SATURATION)) / (frequency + SATURATION);
  }
  return score;
}
