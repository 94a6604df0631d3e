import { describe, expect, it } from "vitest";
import type { LoggedTurn, ScopedMemory } from "../../src/index.js";
import { SimpleMem } from "../../src/index.js";
import { filledAt, openedAt } from "../support/clocked.js";
import { FakeEmbeddings, ScriptedModel } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";

const NOW = Date.parse("2025-03-12T12:00:00Z");

async function wholeLog(memory: ScopedMemory, limit: number): Promise<readonly LoggedTurn[]> {
  const turns: LoggedTurn[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await memory.log({ limit, ...(cursor === undefined ? {} : { cursor }) });
    turns.push(...page.items);
    if (page.cursor === undefined) return turns;
    cursor = page.cursor;
  }
}

describe("the log", () => {
  it("gives every turn once, page by page, in the order in which they were said, and backwards", async () => {
    const { memory } = await openedAt(NOW);
    const said = Array.from({ length: 25 }, (_, index) => ({
      id: `t${index}`,
      speaker: "Ilse",
      content: `Note ${index}`,
      // Told out of order, two at a time at the same moment.
      timestamp: new Date(NOW - (((index * 7) % 25) >> 1) * 60_000).toISOString(),
      sessionId: index % 2 === 0 ? "even" : "odd",
    }));
    await memory.add(said);
    const log = await wholeLog(memory, 4);
    expect(log.map(({ turn }) => turn.dialogueId).sort()).toEqual(said.map(({ id }) => id).sort());
    const times = log.map(({ turn }) => turn.timestamp);
    expect(times).toEqual([...times].sort());
    const newest = await memory.log({ order: "newest", limit: 1000 });
    expect(newest.items.map(({ turn }) => turn.timestamp)).toEqual([...times].reverse());
    const even = await memory.log({ filter: { sessionId: "even" } });
    expect(even.items).toHaveLength(13);
  });

  it("tells what a turn became, and how far it has come", async () => {
    const { memory } = await filledAt(NOW);
    await memory.add({ id: "t3", speaker: "Ilse", content: "I bought a loom." });
    const { items } = await memory.log();
    expect(items.map(({ turn, progress }) => [turn.dialogueId, progress])).toEqual([
      ["t1", "read"],
      ["t2", "read"],
      ["t3", "waiting"],
    ]);
    expect(items.map(({ entries }) => entries.map(({ losslessRestatement }) => losslessRestatement))).toEqual([
      ["Ilse lives in Graz."],
      [expect.stringContaining("repairs clocks")],
      [],
    ]);
  });

  it("R54: shows no turn and no fact of another user, and to an agent what it shares", async () => {
    const { simplemem, memory } = await filledAt(NOW);
    const log = async (scope: { userId: string; agentId?: string }) =>
      (await simplemem.scope(scope).log()).items.length;
    expect(await log({ userId: "u-ilse1" })).toBe(0);
    expect(await log({ userId: "u-ilse", agentId: "clerk" })).toBe(2);
    expect((await memory.log()).items).toHaveLength(2);
    await simplemem.scope({ userId: "u-ilse", agentId: "clerk" }).add({ id: "t1", speaker: "Ilse", content: "Psst." });
    expect((await memory.log()).items).toHaveLength(2);
    expect(await simplemem.users.agents("u-ilse")).toEqual(["clerk"]);
  });

  it("refuses options that it does not know, and cursors of other calls", async () => {
    const { memory } = await filledAt(NOW);
    await expect(memory.log({ limit: 0 })).rejects.toThrow(/limit/);
    await expect(memory.log({ filter: { kind: "fact" } } as never)).rejects.toThrow(/filter/);
    const { cursor = "" } = await memory.list({ limit: 1 });
    await expect(memory.log({ cursor })).rejects.toThrow(/cursor/);
  });
});

describe("growth", () => {
  it("counts turns, facts and their tokens by the day on which they were said", async () => {
    const { memory } = await filledAt(NOW);
    const { days, costs } = await memory.growth();
    expect(days.map(({ day, turns, entries, currentEntries }) => [day, turns, entries, currentEntries])).toEqual([
      ["2025-03-01", 1, 1, 1],
      ["2025-03-02", 1, 1, 1],
    ]);
    for (const { turnTokens, currentTokens } of days) {
      expect(turnTokens).toBeGreaterThan(0);
      expect(currentTokens).toBeGreaterThan(0);
    }
    expect(costs).toEqual([]);
  });

  it("keeps what models cost beyond the end of the process, and forgets it with the user", async () => {
    const uri = freshFolder();
    const options = { uri, embeddings: new FakeEmbeddings(16), clock: () => NOW, window: { idleMs: 0 } };
    const first = await SimpleMem.open({ ...options, llm: new ScriptedModel(["[]"]) });
    const memory = first.scope({ userId: "u-ilse" });
    await memory.add({ speaker: "Ilse", content: "I moved to Graz on 3 March 2025." });
    const { usage } = await memory.flush();
    expect(usage.modelCalls).toBeGreaterThan(0);
    await first.close();

    const second = await SimpleMem.open(options);
    const again = second.scope({ userId: "u-ilse" });
    const { modelCalls, promptTokens, completionTokens } = usage;
    expect((await again.growth()).costs).toEqual([{ day: "2025-03-12", modelCalls, promptTokens, completionTokens }]);
    expect((await second.scope({ userId: "u-bram" }).growth()).costs).toEqual([]);
    await again.forget({ all: true });
    expect((await again.growth()).costs).toEqual([]);
    await second.close();
  });
});

describe("health", () => {
  it("R06: lists a window that failed with its reason, and what waits", async () => {
    const failing = { extract: async () => Promise.reject(new Error("the model is away")) };
    const { memory } = await openedAt(NOW, { stages: { extract: failing }, limits: { tries: 1 } });
    await memory.add({ id: "t1", speaker: "Ilse", content: "I live in Graz." });
    expect((await memory.health()).pendingTurns).toBe(1);
    await memory.flush();
    const { windows, isComparable } = await memory.health();
    expect(windows).toMatchObject([{ state: "failed", turnIds: ["t1"], lastError: expect.stringContaining("away") }]);
    expect(isComparable).toBe(true);
    expect((await memory.log()).items.map(({ progress }) => progress)).toEqual(["failed"]);
  });

  it("R25: tells how many rows no index covers, and none after maintenance", async () => {
    const { memory } = await filledAt(NOW);
    const unindexed = async () =>
      (await memory.health()).tables.reduce((sum, { unindexedRows }) => sum + unindexedRows, 0);
    // A search indexes the turns themselves.
    await memory.search("Who repairs clocks?");
    expect(await unindexed()).toBeGreaterThan(0);
    await memory.maintain();
    expect(await unindexed()).toBe(0);
    expect((await memory.health()).tables.map(({ table, rows }) => [table, rows > 0])).toEqual([
      ["entries", true],
      ["chunks", true],
    ]);
  });
});
