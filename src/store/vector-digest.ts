import { bestOf } from "./best-of.js";
import type { Chosen, Digest } from "./digests.js";
import type { Row } from "./row.js";
import type { FoundId } from "./row-cache.js";
import { unit } from "./similarity.js";

/** Rows for which there is room at first. */
const FIRST_ROOM = 64;

/** Below every cosine. */
const LEAST = -2;

export interface NearestOptions {
  readonly limit: number;
  /** Least cosine. Default: any. */
  readonly floor?: number;
}

/** The vectors of rows, one after the other, each of length 1. */
export class VectorDigest implements Digest {
  readonly columns = ["vector"] as const;
  #numbers = new Float32Array(0);
  #size = 0;
  #rows = 0;
  readonly #isBare = new Set<number>();

  add(row: Row): void {
    const vector = row.floatsOrNull("vector");
    const place = this.#rows;
    this.#rows += 1;
    if (vector === null) {
      this.#isBare.add(place);
      return;
    }
    this.#size = vector.length;
    this.#makeRoom((place + 1) * this.#size);
    this.#numbers.set(unit(vector), place * this.#size);
  }

  /** Rows by the cosine with a vector, best first. Rows without a vector are not found. */
  static nearest(
    { digest, rowIds, places }: Chosen<VectorDigest>,
    vector: readonly number[],
    options: NearestOptions,
  ): FoundId[] {
    const cosines = new Float32Array(rowIds.length).fill(Number.NEGATIVE_INFINITY);
    const asked = unit(vector);
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index] ?? 0;
      if (!digest.#isBare.has(place)) cosines[place] = digest.#cosine(place, asked);
    }
    return bestOf(cosines, rowIds, { limit: options.limit, floor: Math.max(options.floor ?? LEAST, LEAST) });
  }

  #cosine(place: number, asked: Float32Array): number {
    const numbers = this.#numbers;
    const start = place * this.#size;
    const fours = asked.length - (asked.length % 4);
    // Four sums at once keep the processor busier than one: each addition waits for the one before.
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let index = 0; index < fours; index += 4) {
      first += (numbers[start + index] ?? 0) * (asked[index] ?? 0);
      second += (numbers[start + index + 1] ?? 0) * (asked[index + 1] ?? 0);
      third += (numbers[start + index + 2] ?? 0) * (asked[index + 2] ?? 0);
      fourth += (numbers[start + index + 3] ?? 0) * (asked[index + 3] ?? 0);
    }
    for (let index = fours; index < asked.length; index += 1)
      first += (numbers[start + index] ?? 0) * (asked[index] ?? 0);
    return first + second + third + fourth;
  }

  #makeRoom(needed: number): void {
    if (needed <= this.#numbers.length) return;
    const grown = new Float32Array(Math.max(needed, 2 * this.#numbers.length, FIRST_ROOM * this.#size));
    grown.set(this.#numbers);
    this.#numbers = grown;
  }
}
