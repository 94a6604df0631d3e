import { type ExactScope, type MemoryStore, PerScope } from "../store/index.js";

/** Turns whose words are counted: more would make the first question slow and change no weight. */
const SAMPLE = 5_000;
/** How much a scope may grow before its words are counted again. */
const GROWTH = 1.1;
const GROWTH_TURNS = 20;
/** Rare words count less than their logarithm says, since many are only misspelt. */
const IDF_POWER = 0.8;

/** How often words occur in what a scope said. */
export interface WordStatistics {
  readonly turns: number;
  readonly averageLength: number;
  /** Weight of a word by its rarity (BM25's inverse document frequency, to the power of .8). */
  idf(word: string): number;
}

/** @param texts index words of turns, one text each */
export function wordStatistics(texts: readonly string[]): WordStatistics {
  const holding = new Map<string, number>();
  let words = 0;
  for (const text of texts) {
    const list = text.split(" ");
    words += list.length;
    for (const word of new Set(list)) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const turns = texts.length;
  return {
    turns,
    averageLength: turns === 0 ? 1 : words / turns,
    idf: (word) => {
      const count = holding.get(word) ?? 0;
      return Math.log(1 + (turns - count + 0.5) / (count + 0.5)) ** IDF_POWER;
    },
  };
}

/**
 * Statistics per scope, counted on a bounded sample when a scope is first asked and when it has grown by a tenth, so that
 * no question reads the whole store.
 */
export class StatisticsCache {
  readonly #byScope = new PerScope<{ count: number; statistics: WordStatistics }>();

  constructor(private readonly store: MemoryStore) {}

  async of(scope: ExactScope): Promise<WordStatistics> {
    const count = await this.store.chunks.count(scope);
    const known = this.#byScope.get(scope);
    const isFresh =
      known !== undefined && count >= known.count / GROWTH && count <= known.count * GROWTH + GROWTH_TURNS;
    const kept = isFresh
      ? known
      : { count, statistics: wordStatistics(await this.store.chunks.sampleWords(scope, SAMPLE)) };
    this.#byScope.set(scope, kept);
    return kept.statistics;
  }
}
