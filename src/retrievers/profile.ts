import { decodeNeighbours } from "../language/index.js";
import type { IndexedText } from "../store/index.js";

/** Distinct words after which counting begins anew: about as many as some hundred thousand turns have. */
const MAX_WORDS = 200_000;

/** The words of one turn beside a text. */
export interface WordsAround {
  /** How far away; 0: the rest of the same turn. */
  readonly offset: number;
  readonly words: readonly number[];
}

/** The words of a text and of the turns around it, as numbers. */
export interface TextProfile {
  /** Its own words, in order. */
  readonly own: readonly number[];
  readonly around: readonly WordsAround[];
}

export const NO_WORDS: TextProfile = Object.freeze({ own: [], around: [] });

/**
 * Gives each word a number and each text its profile, once. A ranking compares some hundred thousand words a question:
 * numbers in one row cost a tenth of strings in lists.
 */
export class Profiles {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #profiles = new WeakMap<IndexedText, TextProfile>();

  of(index: IndexedText): TextProfile {
    const known = this.#profiles.get(index);
    if (known !== undefined) return known;
    const around = [...decodeNeighbours(index.contextWords)].map(([offset, words]) => ({
      offset,
      words: this.#numbersOf(words),
    }));
    const own = index.words === "" ? [] : index.words.split(" ");
    const made = { own: this.#numbersOf(own), around };
    this.#profiles.set(index, made);
    return made;
  }

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const made = this.#words.push(word) - 1;
    this.#numbers.set(word, made);
    return made;
  }

  /** Numbers given so far: each is below. */
  get size(): number {
    return this.#words.length;
  }

  wordOf(number: number): string {
    return this.#words[number] ?? "";
  }

  /** Then a new one takes its place; a question under way keeps the one that it began with. */
  get isFull(): boolean {
    return this.#words.length > MAX_WORDS;
  }

  #numbersOf(words: readonly string[]): readonly number[] {
    return words.map((word) => this.numberOf(word));
  }
}
