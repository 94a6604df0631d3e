import { withoutHalf } from "./pieces.js";

const MARK = "…";

/** A text on one line, cut to so many characters at most; a cut is marked, and never splits a character in two. */
export function shortened(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxCharacters) return line;
  const cut = line.slice(0, Math.max(0, maxCharacters - MARK.length));
  return `${withoutHalf(cut)}${MARK}`;
}
