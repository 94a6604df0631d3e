import { encodeNeighbours, indexWords } from "../language/index.js";
import type { DialogueTurn } from "../records/index.js";

/** Words that one turn lends to its neighbours: what a pasted log holds would drown them. */
const LENT_WORDS = 200;
/** Characters that hold as many: the rest of a longer turn is not read for its neighbours. */
const LENT_CHARS = 4000;

/** Turns of one session in their order, each with its index words (of a very long turn the first), which its neighbours share. */
export interface Line {
  readonly turns: readonly DialogueTurn[];
  readonly words: readonly string[];
}

/** What of a turn its neighbours share. */
export function readForNeighbours(turn: DialogueTurn): string {
  return turn.content.slice(0, LENT_CHARS);
}

export function lineOf(turns: readonly DialogueTurn[]): Line {
  return { turns, words: turns.map((turn) => indexWords(readForNeighbours(turn))) };
}

/**
 * The words around one turn, within its session: a reply is often found by the words of what it replies to.
 * @param withOwn for a row that holds a part of the turn only: it is also found by the rest
 */
export function wordsAround({ words }: Line, index: number, withOwn: boolean): string {
  return encodeNeighbours((offset) =>
    offset === 0 && !withOwn ? "" : (words[index + offset] ?? "").split(" ", LENT_WORDS).join(" "),
  );
}
