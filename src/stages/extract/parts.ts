import { piecesOf } from "../../language/index.js";

/** Characters that are read in one go: a part takes well under 100 ms. */
const PART_CHARS = 1500;
/** Where a part best ends. */
const SENTENCE_END = /[.!?…]["'”’)]?\s+|[。！？\n]/gu;
const WHITE_SPACE = /\s/gu;

/** Whether a text is so long that it is read in parts. */
export function isLong(text: string): boolean {
  return text.length > PART_CHARS;
}

/**
 * A long text in parts of at most 1,500 characters, each cut after its last sentence, else after its last word, so that
 * no reading of a part takes long. A shorter text is one part.
 */
export function partsOf(text: string): Generator<string> {
  return piecesOf(text, PART_CHARS, (piece) => lastEnd(piece, SENTENCE_END) ?? lastEnd(piece, WHITE_SPACE));
}

/** Where the last match in the second half of the piece ends. */
function lastEnd(piece: string, pattern: RegExp): number | null {
  let end = 0;
  for (const match of piece.matchAll(pattern)) end = match.index + match[0].length;
  return end * 2 > piece.length ? end : null;
}
