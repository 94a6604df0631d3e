import { describe, expect, it } from "vitest";
import { FACT_TOKENS, injectionBudget } from "../../src/agents/injection-budget.js";
import { simpleMemMiddleware } from "../../src/agents/middleware.js";
import { LocalEmbeddings } from "../../src/index.js";
import { openMemory, saidIn } from "../support/agents.js";
import { DECISION, type Layer, type RequestRow, TOOL_NOISE, talkAtLength } from "../support/long-conversation.js";

const LONG = { turns: 40, window: 4_000 };
/** Short enough for each order of the layers: it is summarized twice. */
const SHORT = { turns: 26, window: 1_200 };

async function longMemory() {
  return (await openMemory({ embeddings: new LocalEmbeddings() })).scope({ userId: "u-ilse", sessionId: "long" });
}

function expectWithin(window: number, rows: readonly RequestRow[]): void {
  for (const { fill, injectedTokens, totalTokens } of rows) {
    expect(totalTokens).toBeLessThanOrEqual(window);
    expect(injectedTokens).toBeLessThanOrEqual(injectionBudget(fill * window, window).tokens + FACT_TOKENS);
  }
}

const ORDERS: readonly (readonly [string, readonly Layer[]])[] = [
  ["summarization and context editing before it", ["summarization", "editing", "memory"]],
  ["summarization and context editing after it", ["memory", "summarization", "editing"]],
  ["summarization before it and context editing after it", ["summarization", "memory", "editing"]],
  ["context editing before it and summarization after it", ["editing", "memory", "summarization"]],
];

describe("a conversation that is summarized again and again", () => {
  it("never overruns the window at any fill, and knows at its end what was decided in turn 5 (R76)", async () => {
    const memory = await longMemory();
    const ours = simpleMemMiddleware({ memory, maxInputTokens: LONG.window });
    const { rows, answer } = await talkAtLength({ ...LONG, layers: ["summarization", "memory"], memory: ours });
    expectWithin(LONG.window, rows);
    expect(answer).toBe(DECISION.detail);
    expect(new Set(rows.map(({ fill }) => Math.floor(fill * 10))).size).toBeGreaterThan(4);
    expect(rows.some(({ injectedTokens }) => injectedTokens > 200)).toBe(true);
    expect((await memory.stats()).turns).toBe(2 * LONG.turns);
  });

  it.each(ORDERS)("does so with %s", async (_title, layers) => {
    const memory = await longMemory();
    const ours = simpleMemMiddleware({ memory, maxInputTokens: SHORT.window });
    const { rows, answer, requests } = await talkAtLength({ ...SHORT, layers, memory: ours });
    expectWithin(SHORT.window, rows);
    expect(answer).toBe(DECISION.detail);
    expect(requests.some((request) => request.includes("[cleared]"))).toBe(true);
    expect((await memory.stats()).turns).toBe(2 * SHORT.turns);
    expect((await saidIn(memory, TOOL_NOISE)).join()).not.toContain(TOOL_NOISE);
  });

  it("is the same with memory off as without the package, request by request", async () => {
    const memory = await longMemory();
    const off = simpleMemMiddleware({ memory, maxInputTokens: SHORT.window, enabled: false });
    const talk = { ...SHORT, layers: ["summarization", "editing", "memory"] } as const;
    const without = await talkAtLength(talk);
    const { requests } = await talkAtLength({ ...talk, memory: off });
    expect(requests.findIndex((request, index) => request !== without.requests[index])).toBe(-1);
    expect(requests.length).toBe(without.requests.length);
    // What was decided was summarized away: only memory can know it.
    expect(without.answer).toBe("I do not know.");
    expect((await memory.stats()).turns).toBe(0);
  });
});
