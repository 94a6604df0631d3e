import type { AblationRow, DualRow, FloorRow } from "./ablation.js";
import type { EvalReport } from "./evaluate.js";
import type { Row } from "./summary.js";

/** Rows of cells as a Markdown table, columns aligned. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => (cells[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(header), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}

export function share(value: number): string {
  return value.toFixed(3).replace(/^0\./, ".").replace(/^-0\./, "-.");
}

/** A row per group, a column per measure; the first row, which is of all, with its intervals. */
export function measureTable(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ measures }) => Object.keys(measures)))];
  return table(
    ["", "n", ...names],
    rows.map(({ label, questions, measures }, index) => {
      const cells = names.map((name) => {
        const measured = measures[name];
        if (measured === undefined) return "";
        const interval = index === 0 ? ` (${share(measured.low)}–${share(measured.high)})` : "";
        return `${share(measured.mean)}${interval}`;
      });
      return [label, String(questions), ...cells];
    }),
  );
}

function signed(value: number): string {
  return value > 0 ? `+${share(value)}` : share(value);
}

function ablationTable(rows: readonly AblationRow[]): string {
  return table(
    ["", "recall@10", "change"],
    rows.map(({ label, recallAt10, change }) => [label, share(recallAt10), signed(change)]),
  );
}

function floorTable(rows: readonly FloorRow[]): string {
  return table(
    ["floor of the score", "recall@10", "hits a question", "nothing left: answerable", "unanswerable"],
    rows.map((row) => [
      row.floor.toFixed(2),
      share(row.recallAt10),
      row.hitsPerQuestion.toFixed(1),
      share(row.emptyAnswerable),
      share(row.emptyUnanswerable),
    ]),
  );
}

function dualTable(rows: readonly DualRow[]): string {
  return table(
    ["", "context recovery", "answer's words", "fact consistency"],
    rows.map(({ label, contextRecovery, answerWords, factConsistency }) => [
      label,
      share(contextRecovery),
      share(answerWords),
      factConsistency === null ? "–" : share(factConsistency),
    ]),
  );
}

function ingestTable({ ingest }: EvalReport): string {
  return table(
    ["memory", "turns", "ms a turn", "entries", "rejected", "fidelity", "compression", "model tokens a turn"],
    ingest.map((one) => [
      one.space,
      String(one.turns),
      (one.ms / Math.max(1, one.turns)).toFixed(1),
      String(one.entries),
      String(one.rejected),
      share(one.fidelity),
      share(one.compression),
      (one.modelTokens / Math.max(1, one.turns)).toFixed(1),
    ]),
  );
}

function costTable({ costs }: EvalReport): string {
  return table(
    ["search p50 ms", "p95 ms", "tokens of ten hits", "model calls a question", "model tokens a question"],
    [
      [
        costs.p50Ms.toFixed(1),
        costs.p95Ms.toFixed(1),
        costs.tokensOfTen.toFixed(0),
        costs.modelCalls.toFixed(2),
        costs.modelTokens.toFixed(0),
      ],
    ],
  );
}

/** A report for people. */
export function printReport(report: EvalReport): string {
  const { answers, abstention, views, features, floors, memories } = report;
  const parts = [
    `Writing\n${ingestTable(report)}`,
    `Finding\n${measureTable(report.retrieval)}`,
    `Cost\n${costTable(report)}`,
  ];
  if (answers !== undefined) parts.push(`Answers\n${measureTable(answers)}`);
  if (abstention !== undefined) {
    const { abstained, unanswerable, precision, recall } = abstention;
    parts.push(
      `Abstention: ${abstained} abstentions, ${unanswerable} unanswerable questions, precision ${share(precision)}, recall ${share(recall)}`,
    );
  }
  if (views !== undefined) parts.push(`Views\n${ablationTable(views)}`);
  if (features !== undefined) parts.push(`Features\n${ablationTable(features)}`);
  if (floors !== undefined) parts.push(`Floor of the score\n${floorTable(floors)}`);
  if (memories !== undefined) parts.push(`Kinds of memory\n${dualTable(memories)}`);
  return parts.join("\n\n");
}
