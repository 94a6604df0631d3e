/** Half of a character of two units at the end of a text. */
const HALF_AT_END = /[\uD800-\uDBFF]$/;

/** The text without half of a character at its end, where it was cut in two. */
export function withoutHalf(cut: string): string {
  return HALF_AT_END.test(cut) ? cut.slice(0, -1) : cut;
}

/**
 * A text in pieces of at most so many characters, none of which ends within a character. A shorter text is one piece.
 * @param endOf where a piece best ends; null where it has no such place
 */
export function* piecesOf(
  text: string,
  maxCharacters: number,
  endOf: (piece: string) => number | null,
): Generator<string> {
  let start = 0;
  while (text.length - start > maxCharacters) {
    const piece = text.slice(start, start + maxCharacters);
    const end = endOf(piece) ?? withoutHalf(piece).length;
    yield piece.slice(0, end);
    start += end;
  }
  yield text.slice(start);
}
