import { decodeNeighbours } from "../language/index.js";
import type { IndexedText } from "../store/index.js";

/** Distinct words after which counting begins anew: about as many as some hundred thousand turns have. */
const MAX_WORDS = 200_000;

/** The words of a text and of the turns around it, as numbers. */
export interface TextProfile {
  /** Its own words, in order. */
  readonly own: Int32Array;
  /** Words of the turns around by how far away they are; 0: the rest of the same turn. */
  readonly around: ReadonlyMap<number, Int32Array>;
}

export const NO_WORDS: TextProfile = Object.freeze({ own: new Int32Array(), around: new Map() });

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
    const around = [...decodeNeighbours(index.contextWords)].map(
      ([offset, words]) => [offset, this.#numbersOf(words)] as const,
    );
    const own = index.words === "" ? [] : index.words.split(" ");
    const made = { own: this.#numbersOf(own), around: new Map(around) };
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

  wordOf(number: number): string {
    return this.#words[number] ?? "";
  }

  /** Then a new one takes its place; a question under way keeps the one that it began with. */
  get isFull(): boolean {
    return this.#words.length > MAX_WORDS;
  }

  #numbersOf(words: readonly string[]): Int32Array {
    return Int32Array.from(words, (word) => this.numberOf(word));
  }
}
