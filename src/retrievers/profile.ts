import { decodeNeighbours } from "../language/index.js";
import type { IndexedText } from "../store/index.js";

/** Distinct words after which counting begins anew: about as many as some hundred thousand turns have. */
const MAX_WORDS = 200_000;
/** The same for texts. */
const MAX_TEXTS = 200_000;

/** The words of one text. Texts of the same words share one: a turn stands in the rows of its neighbours, too. */
export interface Words {
  /** A number of its own, from 0; 0 is the empty text. */
  readonly id: number;
  /** The number of each word, in order. */
  readonly numbers: readonly number[];
}

/** The words of one turn beside a text. */
export interface WordsAround {
  /** How far away; 0: the rest of the same turn. */
  readonly offset: number;
  readonly words: Words;
}

/** The words of a text and of the turns around it. */
export interface TextProfile {
  readonly own: Words;
  readonly around: readonly WordsAround[];
}

export const NO_WORDS: Words = Object.freeze({ id: 0, numbers: [] });

export const EMPTY_PROFILE: TextProfile = Object.freeze({ own: NO_WORDS, around: [] });

/**
 * Gives each word and each text a number and each row its profile, once. A ranking compares some ten thousand words a question:
 * numbers in one row cost a tenth of strings in lists, and a text that stands in many rows is compared once.
 */
export class Profiles {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #texts = new Map<string, Words>([["", NO_WORDS]]);
  readonly #profiles = new WeakMap<IndexedText, TextProfile>();

  of(index: IndexedText): TextProfile {
    const known = this.#profiles.get(index);
    if (known !== undefined) return known;
    const around = [...decodeNeighbours(index.contextWords)].map(([offset, words]) => ({
      offset,
      words: this.#textOf(words.join(" ")),
    }));
    const made = { own: this.#textOf(index.words), around };
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

  /** Numbers of words given so far: each is below. */
  get size(): number {
    return this.#words.length;
  }

  /** Numbers of texts given so far: each is below. */
  get texts(): number {
    return this.#texts.size;
  }

  wordOf(number: number): string {
    return this.#words[number] ?? "";
  }

  /** Then a new one takes its place; a question under way keeps the one that it began with. */
  get isFull(): boolean {
    return this.#words.length > MAX_WORDS || this.#texts.size > MAX_TEXTS;
  }

  #textOf(text: string): Words {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const made = { id: this.#texts.size, numbers: text.split(" ").map((word) => this.numberOf(word)) };
    this.#texts.set(text, made);
    return made;
  }
}
