import { describe, expect, it } from "vitest";
import type { RecentChange, SimpleMem, SimpleMemOptions, TurnInput } from "../../src/index.js";
import { openedAt } from "../support/clocked.js";

const START = Date.parse("2026-05-01T12:00:00Z");
const HOUR = 3_600_000;

type Memory = ReturnType<SimpleMem["scope"]>;

async function opened(options: Partial<SimpleMemOptions> = {}) {
  const { simplemem, time, memory } = await openedAt(START, options);
  /** The clock's time; what happens next happens an hour later. */
  const tick = (): string => {
    time.now += HOUR;
    return new Date(time.now).toISOString();
  };
  return { simplemem, tick, memory };
}

async function said(memory: Memory, id: string, content: string, more: Partial<TurnInput> = {}): Promise<void> {
  await memory.add({ id, speaker: "Ilse", content, timestamp: "2025-03-01T10:00:00Z", ...more });
  await memory.flush();
}

async function told(memory: Memory, since: string): Promise<[RecentChange["what"], string][]> {
  const { items } = await memory.changes({ since });
  return items.map(({ what, entry }) => [what, entry.losslessRestatement]);
}

describe("changes", () => {
  it("tells what was added, superseded, corrected, carried out and archived, in the order of time", async () => {
    const { memory, tick } = await opened();
    await said(memory, "t1", "I live in Dunmore.");
    await said(memory, "t2", "I keep bees at the mill.");
    await said(memory, "t3", "I plan to paint the shed.");
    await said(memory, "t4", "I play the cello.");
    const ids = new Map((await memory.list()).items.map(({ sourceIds, entryId }) => [sourceIds[0], entryId]));
    const id = (turn: string): string => ids.get(turn) ?? "";
    const since = tick();
    await memory.update(id("t4"), { text: "Ilse plays the viola." });
    tick();
    await memory.update(id("t3"), { status: "done" });
    tick();
    await memory.update(id("t2"), { status: "archived" });
    tick();
    await said(memory, "t5", "I live in Porthaven now.", { timestamp: "2025-03-05T10:00:00Z" });
    const { items } = await memory.changes({ since });
    const outcomes = items.map(({ what, entry }) => [what, entry.sourceIds[0]]);
    expect(outcomes.slice(0, 3)).toEqual([
      ["changed", "t4"],
      ["done", "t3"],
      ["archived", "t2"],
    ]);
    expect(new Map(outcomes.slice(3).map(([what, turn]) => [turn, what]))).toEqual(
      new Map([
        ["t1", "superseded"],
        ["t5", "added"],
      ]),
    );
    const [corrected] = items;
    expect(corrected).toMatchObject({ at: since, before: { losslessRestatement: "Ilse plays the cello." } });
    expect(corrected?.changes).toMatchObject([{ op: "updated", by: "user", changed: ["losslessRestatement"] }]);
    expect(items.find(({ what }) => what === "added")?.before).toBeNull();
    expect(JSON.parse(JSON.stringify(items))).toEqual(items);
    expect(await told(memory, tick())).toEqual([]);
  });

  it("tells neither what was forgotten, nor what waits for a review, nor what others remember", async () => {
    const { simplemem, memory, tick } = await opened({ review: { hold: true, untrusted: ["assistant"] } });
    const since = tick();
    await said(memory, "t1", "I live in Dunmore.");
    await said(memory, "t2", "The mill sells rye flour on Fridays.", { role: "assistant", speaker: "Assistant" });
    await said(simplemem.scope({ userId: "u-bram" }), "t3", "I bake rye bread.");
    expect(await told(memory, since)).toEqual([["added", "Ilse lives in Dunmore."]]);
    await memory.forget({ ids: ["t1"] });
    expect(await told(memory, since)).toEqual([]);
  });

  it("tells of an entry that was said again what it gained, and nothing of one that gained nothing", async () => {
    const { memory, tick } = await opened();
    await said(memory, "t1", "I live in Dunmore.");
    await said(memory, "t2", "I keep bees at the mill.");
    const since = tick();
    await said(memory, "t3", "I live in Dunmore.");
    const { items } = await memory.changes({ since });
    expect(items).toMatchObject([
      { what: "changed", before: { sourceIds: ["t1"] }, entry: { sourceIds: ["t1", "t3"] } },
    ]);
    expect(items[0]?.changes.map(({ op }) => op)).toEqual(["joined"]);
  });

  it("R34: gives every change once, page by page, also those of one moment", async () => {
    const { memory, tick } = await opened({ window: { idleMs: 0, size: 40 } });
    const since = tick();
    const turns = Array.from({ length: 23 }, (_, index) => ({
      id: `t${index}`,
      speaker: "Ilse",
      content: `The shed number ${index} holds ${index + 3} bicycles.`,
      timestamp: "2025-03-01T10:00:00Z",
    }));
    await memory.add(turns);
    await memory.flush();
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await memory.changes({ since, limit: 5, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.items.length).toBe(page.cursor === undefined ? 3 : 5);
      paged.push(...page.items.map(({ entry }) => entry.entryId));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(new Set(paged).size).toBe(23);
    expect(paged).toHaveLength(23);
    const { cursor: other } = await memory.list({ limit: 1 });
    await expect(memory.changes({ since, cursor: other ?? "" })).rejects.toMatchObject({ name: "InvalidInputError" });
  });

  it("takes a narrower filter, and refuses a time that is none", async () => {
    const { memory } = await opened();
    await said(memory, "t1", "I live in Dunmore.");
    await said(memory, "t2", "I live in Porthaven now.", { timestamp: "2025-03-05T10:00:00Z" });
    const { items } = await memory.changes({ since: "2026-01-01", filter: { status: "superseded" } });
    expect(items.map(({ what, before }) => [what, before])).toEqual([["superseded", null]]);
    await expect(memory.changes({ since: "soon" })).rejects.toMatchObject({ name: "InvalidInputError" });
  });
});
