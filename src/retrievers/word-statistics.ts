import { cosineTo, type ExactScope, type MemoryStore, PerScope } from "../store/index.js";

/** Turns whose words are counted: more would make the first question slow and change no weight. */
const SAMPLE = 5_000;
/** Turns with which a question is compared, to tell how alike it is to any: more change its mean by less than a tenth of the deviation. */
const SAMPLED_VECTORS = 300;
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

/** What is known of all that a scope said. */
export interface ScopeStatistics extends WordStatistics {
  /** Of the likeness of a question's vector to any turn. */
  spread(query: readonly number[]): Spread;
}

interface Known {
  readonly count: number;
  /** Who made the vectors that were counted. */
  readonly embedder: string | null;
  readonly statistics: ScopeStatistics;
}

/** How alike a question is to what a scope said, on average: by itself a cosine tells little, since embedders differ. */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

export const NO_SPREAD: Spread = Object.freeze({ mean: 0, deviation: 0 });

export function spreadOf(cosines: readonly number[]): Spread {
  if (cosines.length === 0) return NO_SPREAD;
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const squares = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / cosines.length) };
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
  readonly #byScope = new PerScope<Known>();

  constructor(private readonly store: MemoryStore) {}

  async of(scope: ExactScope): Promise<ScopeStatistics> {
    const count = await this.store.chunks.count(scope);
    const known = this.#byScope.get(scope);
    const { embedder } = this.store;
    const isFresh =
      known !== undefined &&
      known.embedder === embedder &&
      count >= known.count / GROWTH &&
      count <= known.count * GROWTH + GROWTH_TURNS;
    const kept = isFresh ? known : { count, embedder, statistics: await this.#read(scope) };
    this.#byScope.set(scope, kept);
    return kept.statistics;
  }

  async #read(scope: ExactScope): Promise<ScopeStatistics> {
    const { words, vectors } = await this.store.chunks.sample(scope, { words: SAMPLE, vectors: SAMPLED_VECTORS });
    return { ...wordStatistics(words), spread: (query) => spreadOf(vectors.map(cosineTo(query))) };
  }
}
