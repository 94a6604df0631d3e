import { piecesOf } from "./pieces.js";

// Cutters hold no state between calls; making one costs far more than using it.
const WORD_CUTTER = new Intl.Segmenter("zh", { granularity: "word" });

/** Longest text that is cut in one go: in a long one the cutter takes ten times as long for each character. */
const PIECE_CHARS = 300;
/** After these no word goes on. */
const ENDS_WORD = /[\s。、]/u;
/** These stand inside words of other scripts ("3,000"), never before a Han character. */
const ENDS_WORD_BEFORE_HAN = /[,!?;:()"“”]/u;
const HAN = /\p{Script=Han}/u;

/** The words of a text as the Unicode rules and the dictionary of Chinese cut them, without what lies between them. */
export function* cutWords(text: string): Generator<string> {
  for (const piece of piecesOf(text, PIECE_CHARS, endOf)) {
    for (const { segment, isWordLike } of WORD_CUTTER.segment(piece)) if (isWordLike === true) yield segment;
  }
}

/** Between two words, where there is such a place. */
function endOf(piece: string): number | null {
  return lastCut(piece, isBetweenWords) ?? lastCut(piece, isBetweenHan);
}

/** The last place in the second half of the piece at which it may be cut. */
function lastCut(piece: string, mayCut: (before: string, after: string) => boolean): number | null {
  for (let at = piece.length - 1; at > PIECE_CHARS / 2; at--) {
    if (mayCut(piece.charAt(at - 1), piece.charAt(at))) return at;
  }
  return null;
}

function isBetweenWords(before: string, after: string): boolean {
  return ENDS_WORD.test(before) || (ENDS_WORD_BEFORE_HAN.test(before) && HAN.test(after));
}

/** Chinese without any mark: a word may be torn, which is better than a text that nobody waits for. */
function isBetweenHan(before: string, after: string): boolean {
  return HAN.test(before) && HAN.test(after);
}
