import { writeFile } from "node:fs/promises";
import { simpleMemMiddleware } from "../src/agents/middleware.js";
import { SimpleMem } from "../src/index.js";
import { askedIn, DECISION, type RequestRow, type Talk, talkAtLength } from "../test/support/long-conversation.js";

/**
 * Talks for 300 turns with an agent whose window holds 4,000 tokens and whose history is summarized, with memory, with
 * memory off and without the package, and writes docs/long-conversation.md.
 *
 * npm run bench:middleware
 */
const PAGE = new URL("../docs/long-conversation.md", import.meta.url);
const TURNS = 300;
const WINDOW = 4_000;
const LEVELS = [
  ["r < 0.60", 0, 0.6, "up to 5 items of 600 characters"],
  ["0.60 ≤ r < 0.70", 0.6, 0.7, "3 items of 450 characters"],
  ["0.70 ≤ r < 0.80", 0.7, 0.8, "2 items of 250 characters"],
  ["r ≥ 0.80", 0.8, Number.POSITIVE_INFINITY, "the session's facts alone"],
] as const;

const TALK = { turns: TURNS, window: WINDOW, layers: ["summarization", "editing", "memory"] } as const;

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function levelRows(rows: readonly RequestRow[]): string[] {
  return LEVELS.map(([name, from, below, share]) => {
    const at = rows.filter(({ fill }) => fill >= from && fill < below);
    const injected = at.map(({ injectedTokens }) => injectedTokens);
    const largest = Math.max(0, ...at.map(({ totalTokens }) => totalTokens));
    return `| ${name} | ${share} | ${at.length} | ${Math.round(mean(injected))} | ${Math.max(0, ...injected)} | ${largest} |`;
  });
}

/** The last request of every tenth turn. */
function turnRows(rows: readonly RequestRow[]): string[] {
  return rows
    .filter(({ turn }, index) => turn % 10 === 0 && rows[index + 1]?.turn !== turn)
    .map((row) => `| ${row.turn} | ${row.fill.toFixed(3)} | ${row.injectedTokens} | ${row.totalTokens} |`);
}

/** @throws Error when the run was not as the page says */
function check({ rows, answer }: Talk, off: Talk, without: Talk): void {
  if (rows.some(({ totalTokens }) => totalTokens > WINDOW)) throw new Error("a request was larger than the window");
  if (answer !== DECISION.detail) throw new Error(`the decision was not known: ${answer}`);
  if (JSON.stringify(off.requests) !== JSON.stringify(without.requests))
    throw new Error("memory off changed a request");
}

function page({ rows, answer }: Talk, without: Talk): string {
  return `# Memory in a long conversation

Made by \`npm run bench:middleware\`: an agent with a window of ${WINDOW.toLocaleString("en")} tokens, a scripted model, \`summarizationMiddleware\` (from 85 % of the
window, 12 messages stay), \`contextEditingMiddleware\` and \`simpleMemMiddleware\`; ${TURNS} turns of the user in one thread, a tool with a
long result in every third. r is the fill ratio: tokens of the request without memory over the window, by LangChain's own estimate.

| r | share of memory | requests | injected tokens, mean | most | largest request |
|---|---|---|---|---|---|
${levelRows(rows).join("\n")}

- The largest of ${rows.length} requests took ${Math.max(...rows.map(({ totalTokens }) => totalTokens))} of ${WINDOW} tokens: memory never pushed one over the window.
- In turn ${askedIn(TURNS)} the user asked for what was decided in turn ${DECISION.turn}, summarized away long before. With memory: "${answer}"; without:
  "${without.answer}"
- With \`enabled: false\` all ${without.requests.length} requests were those of an agent without this package, byte for byte but for the
  random ids that LangChain gives to messages.
- Where r is 0.80 or more, only the session's facts are injected: the same question in such a turn is answered from what the model
  still sees and from \`facts\` alone. Keep what must never be missing as a fact.

## Every tenth turn

| turn | r | injected tokens | request |
|---|---|---|---|
${turnRows(rows).join("\n")}
`;
}

async function main(): Promise<void> {
  await using simplemem = await SimpleMem.open({ uri: "memory://" });
  const memory = simplemem.scope({ userId: "bench", sessionId: "long" });
  const ours = (enabled: boolean) => simpleMemMiddleware({ memory, maxInputTokens: WINDOW, enabled });
  const without = await talkAtLength(TALK);
  const off = await talkAtLength({ ...TALK, memory: ours(false) });
  const started = performance.now();
  const talk = await talkAtLength({ ...TALK, memory: ours(true) });
  const perTurn = (performance.now() - started) / TURNS;
  check(talk, off, without);
  const text = page(talk, without);
  await writeFile(PAGE, text);
  console.log(text);
  console.log(`${perTurn.toFixed(1)} ms a turn, on this machine`);
}

await main();
