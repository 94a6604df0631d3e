import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { table } from "../../src/eval/table.js";
import { type BenchTable, isMet, type Outcome, type Target } from "./part.js";
import { svgOf } from "./plot.js";

function tableText({ title, rows }: BenchTable): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? "–")));
  return `${title}\n\n${table(columns, cells)}`;
}

function targetRow(target: Target): string[] {
  const { what, measured, limit, atLeast = false } = target;
  return [what, String(measured), `${atLeast ? "≥" : "≤"} ${limit}`, isMet(target) ? "met" : "missed"];
}

/** What a part found, for people. */
export function outcomeText(name: string, { tables, targets = [], left = [] }: Outcome): string {
  return [
    `## ${name}`,
    ...tables.map(tableText),
    ...(targets.length === 0 ? [] : [table(["target", "measured", "limit", ""], targets.map(targetRow))]),
    ...left.map((one) => `Left out: ${one}`),
  ].join("\n\n");
}

/** Writes `<name>.json` and the plots. */
export async function writeOutcome(folder: string, name: string, outcome: Outcome): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { plots = [], ...rest } = outcome;
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(rest, null, 2)}\n`);
  for (const plot of plots.filter(({ lines }) => lines.some(({ points }) => points.length > 1))) {
    await writeFile(join(folder, `${plot.file}.svg`), svgOf(plot));
  }
}
