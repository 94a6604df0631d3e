/** The telling words of a question. */
export interface QueryWords {
  /** How much each says, by its place in the question. */
  readonly weights: Float64Array;
  /** Of all of them. */
  readonly totalWeight: number;
  /** The number of each word (`Profiles`), in the order of the question. */
  readonly numbers: readonly number[];
  /** By the number of a word one more than its place in the question; 0 for all other words. */
  readonly places: Uint8Array;
}

/** Words of a question that count: more are read by nobody. */
const MAX_PLACES = 255;

/** @param size how many numbers there are */
export function placesOf(numbers: readonly number[], size: number): Uint8Array {
  const places = new Uint8Array(size);
  for (const [place, number] of numbers.slice(0, MAX_PLACES).entries()) places[number] = place + 1;
  return places;
}
