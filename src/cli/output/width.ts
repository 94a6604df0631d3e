const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const NO_WIDTH = /\p{Mn}|\p{Cf}/u;
/** Where a line may be broken: after spaces, and around the characters of scripts that write none. */
const PIECES = /[^\s\u2e80-\u9fff]+ ?|\s|[\u2e80-\u9fff]/g;

function columnsOfCharacter(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns that a text takes in a terminal: wide scripts take two for each character. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** A text filled up with spaces. */
export function padded(text: string, columns: number): string {
  return `${text}${" ".repeat(Math.max(0, columns - columnsOf(text)))}`;
}

/** Cuts a text into lines of at most `columns`, at spaces where there are any. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.match(PIECES) ?? []) {
    if (line !== "" && columnsOf(line) + columnsOf(piece.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}
