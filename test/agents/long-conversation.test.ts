import { describe, expect, it } from "vitest";
import { FACT_TOKENS, injectionBudget } from "../../src/agents/injection-budget.js";
import { SimpleMem } from "../../src/index.js";
import { DECISION, talkAtLength } from "../support/long-conversation.js";

const WINDOW = 4_000;

describe("a conversation that is summarized again and again", () => {
  it("never overruns the window, and knows at its end what was decided in turn 5 (R76)", async () => {
    await using simplemem = await SimpleMem.open({ uri: "memory://" });
    const memory = simplemem.scope({ userId: "u-ilse", sessionId: "long" });
    const { rows, answer } = await talkAtLength({ memory, turns: 60, window: WINDOW });
    for (const { fill, injectedTokens, totalTokens } of rows) {
      expect(totalTokens).toBeLessThanOrEqual(WINDOW);
      expect(injectedTokens).toBeLessThanOrEqual(injectionBudget(fill * WINDOW, WINDOW).tokens + FACT_TOKENS);
    }
    expect(answer).toBe(DECISION.detail);
    expect(new Set(rows.map(({ fill }) => Math.floor(fill * 10))).size).toBeGreaterThan(4);
    expect((await memory.stats()).turns).toBe(120);
  }, 300_000);
});
