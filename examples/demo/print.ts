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

/** What matters less, paler on a terminal. */
export function aside(text: string): string {
  return process.stdout.isTTY ? styleText("dim", text) : text;
}

const BAR = 24;

/** A bar of progress: "█████░░░░░ 40 of 98 turns". */
export function progressBar(done: number, total: number): string {
  const full = Math.round((done / Math.max(1, total)) * BAR);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)} ${done} of ${total} turns`;
}

/** Writes one line over the last one on a terminal, and nothing elsewhere, where lines cannot be taken back. */
export function overwrite(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

/** "8 March 2025, 19:03", in the clock of who spoke. */
export function spokenAt(timestamp: string): string {
  const local = new Date(`${timestamp.slice(0, 19)}Z`);
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })
    .format(local)
    .replace(" at ", ", ");
}
