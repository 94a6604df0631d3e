/**
 * Characters that a terminal obeys or that make a text look like another: control characters of both sets, marks of the direction of
 * writing, separators of lines, and the invisible tags of Unicode.
 */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\u{e0000}-\u{e007f}]/gu;
const SPACES = /[\t\n\r]+/g;

function visible(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point < 256 ? `\\x${point.toString(16).padStart(2, "0")}` : `\\u{${point.toString(16)}}`;
}

function inJson(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A text that comes from memories or files, so that it drives no terminal: on one line, what would be obeyed is shown. */
export function harmless(text: string): string {
  return text.toWellFormed().replace(SPACES, " ").replace(OBEYED, visible);
}

/** JSON as a text that drives no terminal; what it means stays the same. Line breaks between its parts stay, too. */
export function harmlessJson(json: string): string {
  return json.replace(OBEYED, (character) => (character === "\n" ? character : inJson(character)));
}
