import { styleText } from "node:util";

const WIDTH = 90;
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/;

/** Terminal columns of a text: wide scripts take two. */
export function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

/** Cuts a text into lines of at most `width` columns, at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.replace(/\s+/g, " ").match(/[^\s\u2e80-\u9fff]+ ?|\s|[\u2e80-\u9fff]/g) ?? []) {
    if (line !== "" && columnsOf(line) + columnsOf(piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

/** Two texts beside each other. */
export function sideBySide(left: string, right: string): string {
  const half = Math.floor((WIDTH - 3) / 2);
  const [lefts, rights] = [wrap(left, half), wrap(right, half)];
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, row) => {
    const cell = lefts[row] ?? "";
    return `${cell}${" ".repeat(Math.max(0, half - columnsOf(cell)))} | ${rights[row] ?? ""}`.trimEnd();
  }).join("\n");
}

/** A bold heading on a terminal, plain text elsewhere. */
export function heading(text: string): string {
  return process.stdout.isTTY ? styleText("bold", text) : text;
}
