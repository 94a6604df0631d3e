import { dim, rendered, textOf, type Words } from "./style.js";
import { columnsOf, padded, wrapped } from "./width.js";

/** What stands between two columns. */
const GAP = "  ";
/** A last column narrower than this is not wrapped: its lines would be a word each. */
const NARROW = 24;

/** How a table is drawn. */
export interface TableLook {
  readonly colours: boolean;
  /** Columns of the terminal; absent: lines are as long as they are. */
  readonly columns?: number | undefined;
}

function widthsOf(rows: readonly (readonly Words[])[]): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => columnsOf(textOf(row[column] ?? "")))),
  );
}

function lastLines(words: Words, indent: number, columns: number | undefined): Words[] {
  const room = (columns ?? 0) - indent;
  if (columns === undefined || room < NARROW) return [words];
  const lines = wrapped(textOf(words), room);
  return typeof words === "string" ? lines : lines.map((text) => ({ text, style: words.style }));
}

function rowLines(row: readonly Words[], widths: readonly number[], look: TableLook): string[] {
  const before = row.slice(0, -1).map((words, column) => {
    const fill = " ".repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(textOf(words))));
    return `${rendered(words, look.colours)}${fill}${GAP}`;
  });
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const [first = "", ...others] = lastLines(row.at(-1) ?? "", indent, look.columns).map((words) =>
    rendered(words, look.colours),
  );
  return [`${before.join("")}${first}`.trimEnd(), ...others.map((line) => `${padded("", indent)}${line}`)];
}

/** Rows in columns, under a head if there is one; the last column is wrapped to the terminal's width. */
export function tableLines(
  head: readonly string[] | null,
  rows: readonly (readonly Words[])[],
  look: TableLook,
): string[] {
  const all = head === null ? rows : [head.map(dim), ...rows];
  const widths = widthsOf(all);
  return all.flatMap((row) => rowLines(row, widths, look));
}
