import type { StemLikeness } from "../models/index.js";
import type { Profiles, Words } from "./profile.js";
import type { QueryWords } from "./query-words.js";

/** Squared cosines of words up to this are those of any two words. */
const LITTLE_LIKENESS = 0.05;
const UNLIKE = -1;
/** Texts for which there is room at first. */
const FIRST_ROOM = 512;

function grown(numbers: Float64Array, needed: number): Float64Array {
  if (needed <= numbers.length) return numbers;
  const larger = new Float64Array(Math.max(needed, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/**
 * What the words of one question meet in texts: how often each stands there, and how alike the likest word is. A text stands in the
 * rows of its neighbours, too, and a word in many texts: each is compared once.
 */
export class TextMatches {
  /** How often each word of the question stands in a text; `heldBy` tells where. */
  counts: Float64Array;
  /** How alike the likest word of a text is to each word of the question, 0 to 1; `likedBy` tells where. */
  likest: Float64Array;
  readonly #asked: number;
  /** By the id of a text one more than where its numbers begin; `UNLIKE`, or 0 until it was compared. */
  readonly #texts: Int32Array;
  /** By the id of a text 1 where it holds words of the question. */
  readonly #holding: Uint8Array;
  #used = 0;
  /** By the number of a word one more than where its likeness begins; `UNLIKE`, or 0 until it was compared. */
  readonly #words: Int32Array;
  #likeness: Float64Array;
  #alike = 0;

  constructor(
    private readonly query: QueryWords,
    private readonly likenessOf: StemLikeness,
    private readonly profiles: Profiles,
  ) {
    this.#asked = query.numbers.length;
    this.#texts = new Int32Array(profiles.texts);
    this.#holding = new Uint8Array(profiles.texts);
    this.#words = new Int32Array(profiles.size);
    this.counts = new Float64Array(FIRST_ROOM * this.#asked);
    this.likest = new Float64Array(FIRST_ROOM * this.#asked);
    this.#likeness = new Float64Array(FIRST_ROOM * this.#asked);
  }

  /** Where in `likest` the numbers of a text begin, one for each word of the question; -1 when it is like none. */
  likedBy(text: Words): number {
    const known = this.#texts[text.id] ?? 0;
    if (known === 0) return this.#compare(text);
    return known === UNLIKE ? -1 : known - 1;
  }

  /** The same in `counts`; -1 when the text holds no word of the question. */
  heldBy(text: Words): number {
    const start = this.likedBy(text);
    return this.#holding[text.id] === 1 ? start : -1;
  }

  #compare({ id, numbers }: Words): number {
    const start = this.#used;
    this.counts = grown(this.counts, start + this.#asked);
    this.likest = grown(this.likest, start + this.#asked);
    let isLike = false;
    for (let index = 0; index < numbers.length; index += 1) {
      const word = numbers[index] ?? 0;
      const place = this.query.places[word] ?? 0;
      if (place > 0) {
        this.#holding[id] = 1;
        this.counts[start + place - 1] = (this.counts[start + place - 1] ?? 0) + 1;
      }
      if (this.#raise(word, start)) isLike = true;
    }
    this.#texts[id] = isLike ? start + 1 : UNLIKE;
    // What is like nothing has written nothing.
    if (isLike) this.#used += this.#asked;
    return isLike ? start : -1;
  }

  /** Raises what begins at `start` to the likeness of a word; false for one that is like none. */
  #raise(word: number, start: number): boolean {
    const alike = this.#likenessTo(word);
    if (alike < 0) return false;
    for (let index = 0; index < this.#asked; index += 1) {
      const here = this.#likeness[alike + index] ?? 0;
      if (here > (this.likest[start + index] ?? 0)) this.likest[start + index] = here;
    }
    return true;
  }

  /** Where the likeness of a word begins; -1 when it is like none of the question. */
  #likenessTo(word: number): number {
    const known = this.#words[word] ?? 0;
    if (known !== 0) return known === UNLIKE ? -1 : known - 1;
    this.#likeness = grown(this.#likeness, this.#alike + this.#asked);
    const best = this.likenessOf(this.profiles.wordOf(word), this.#likeness, this.#alike);
    if (best <= LITTLE_LIKENESS) {
      this.#words[word] = UNLIKE;
      return -1;
    }
    const start = this.#alike;
    this.#words[word] = start + 1;
    this.#alike += this.#asked;
    return start;
  }
}
