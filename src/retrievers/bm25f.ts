import type { Neighbours } from "../language/index.js";

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

/** A text as BM25F sees it. */
export interface WordedText {
  readonly words: readonly string[];
  readonly neighbours: Neighbours;
}

/** A word of the question and how much it says. */
export interface WeighedWord {
  readonly word: string;
  readonly weight: number;
}

function occurrences(words: readonly string[], word: string): number {
  let count = 0;
  for (const one of words) if (one === word) count += 1;
  return count;
}

/** One field's share: occurrences against the field's length. */
function fieldFrequency(words: readonly string[], word: string, averageLength: number): number {
  const count = occurrences(words, word);
  return count === 0 ? 0 : count / (1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * words.length) / averageLength);
}

/** Words in common with the question, weighed by rarity, over the text and the turns around it (BM25F). */
export function bm25f(text: WordedText, query: readonly WeighedWord[], averageLength: number): number {
  let score = 0;
  for (const { word, weight } of query) {
    let frequency = fieldFrequency(text.words, word, averageLength);
    for (const [offset, words] of text.neighbours) {
      // The text's own words stand in its turn, too: they count once.
      if (offset === 0 && frequency > 0) continue;
      frequency += (PLACE_WEIGHTS.get(offset) ?? 0) * fieldFrequency(words, word, averageLength);
    }
    if (frequency > 0) score += (weight * frequency * (1 + SATURATION)) / (frequency + SATURATION);
  }
  return score;
}
