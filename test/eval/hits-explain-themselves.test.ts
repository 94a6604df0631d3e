import { describe, expect, it } from "vitest";
import { readChats } from "../../src/eval/chats.js";
import { SimpleMem } from "../../src/memory/index.js";
import type { Hit } from "../../src/records/index.js";

/** docs/retrieval.md: "Score and cut". */
function scoreOf(sum: number): number {
  return 1 / (1 + Math.exp(-1.8 * (sum - 1.4)));
}

function sumOf(hit: Hit): number {
  return Object.values(hit.features ?? {}).reduce((sum, part) => sum + part, 0);
}

/** Hits that share no turn with a better one: a further entry of a turn stands lower than its sum says. */
function firstOfTheirTurns(hits: readonly Hit[]): Hit[] {
  return hits.filter((hit, index) => {
    const better = new Set(hits.slice(0, index).flatMap(({ sourceIds }) => sourceIds));
    return !hit.sourceIds.some((id) => better.has(id));
  });
}

describe("hits explain themselves", () => {
  it("the parts of a hit add up to the sum that its score is made of", async () => {
    const [chat] = readChats("test/fixtures/chats", ["developer"]);
    const simplemem = await SimpleMem.open({ uri: "memory://", clock: () => Date.parse("2025-10-01T00:00:00Z") });
    try {
      const memory = simplemem.scope({ userId: "someone" });
      for (const { id, turns } of chat?.sessions ?? []) {
        await memory.add(turns.map((turn) => ({ ...turn, sessionId: id })));
      }
      await memory.flush();
      for (const { question } of chat?.questions.slice(0, 8) ?? []) {
        const { hits } = await memory.search(question, { k: 20 });
        const first = firstOfTheirTurns(hits);
        expect(first.length).toBeGreaterThan(3);
        for (const hit of first) expect(hit.score).toBeCloseTo(scoreOf(sumOf(hit)), 3);
      }
    } finally {
      await simplemem.close();
    }
  });
});
