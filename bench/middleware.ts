import { SimpleMem } from "../src/index.js";
import { DECISION, type RequestRow, talkAtLength } from "../test/support/long-conversation.js";

const TURNS = 300;
const WINDOW = 4_000;
const LEVELS = [0, 0.6, 0.7, 0.8, Number.POSITIVE_INFINITY];

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function levelRow(rows: readonly RequestRow[], from: number, below: number): Record<string, string | number> {
  const tokens = rows.filter(({ fill }) => fill >= from && fill < below).map((row) => row.injectedTokens);
  return {
    r: Number.isFinite(below) ? `${from.toFixed(2)} ≤ r < ${below.toFixed(2)}` : `r ≥ ${from.toFixed(2)}`,
    requests: tokens.length,
    "mean injected tokens": Math.round(mean(tokens)),
    "most injected tokens": Math.max(0, ...tokens),
  };
}

await using simplemem = await SimpleMem.open({ uri: "memory://" });
const memory = simplemem.scope({ userId: "bench", sessionId: "long" });
const started = performance.now();
const { rows, answer } = await talkAtLength({ memory, turns: TURNS, window: WINDOW });
const seconds = (performance.now() - started) / 1_000;

console.table(rows.filter(({ turn }) => turn % 10 === 0).map((row) => ({ ...row, fill: Number(row.fill.toFixed(3)) })));
console.table(LEVELS.slice(1).map((below, index) => levelRow(rows, LEVELS[index] ?? 0, below)));
console.log(`largest request: ${Math.max(...rows.map((row) => row.totalTokens))} of ${WINDOW} tokens`);
console.log(`turn ${DECISION.asked}, asked for the decision of turn ${DECISION.turn}: ${answer}`);
console.log(`${((seconds * 1_000) / TURNS).toFixed(1)} ms a turn`);
