/** How far a turn looks around for words: what is asked in one turn is often answered some turns later. */
export const NEIGHBOUR_REACH = 4;

/** Parts the places. No word is made of it, so that it never matches a query. */
const MARK = "|";

/**
 * Index words around a place of a conversation, from four turns before to four turns after; offset 0 holds the words of
 * the turn itself that a row's own words lack.
 */
export type Neighbours = ReadonlyMap<number, readonly string[]>;

const OFFSETS: readonly number[] = Array.from(
  { length: 2 * NEIGHBOUR_REACH + 1 },
  (_, place) => place - NEIGHBOUR_REACH,
);

/**
 * One text for a full-text column that keeps which words stand how far away.
 * @param wordsAt index words (`indexWords`) at an offset, "" where there is no turn
 * @example encodeNeighbours((offset) => (offset === -1 ? "dog name" : "")) // "| | | dog name | | | | |"
 */
export function encodeNeighbours(wordsAt: (offset: number) => string): string {
  return OFFSETS.map(wordsAt).join(` ${MARK} `).replace(/ {2,}/g, " ").trim();
}

/** What `encodeNeighbours` kept; empty places are left out. */
export function decodeNeighbours(text: string): Neighbours {
  const places = text.split(MARK).map((place) => place.trim());
  const found = OFFSETS.flatMap((offset, index) => {
    const words = places[index] ?? "";
    return words === "" ? [] : [[offset, words.split(" ")] as const];
  });
  return new Map(found);
}
