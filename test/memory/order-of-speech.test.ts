import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";

const SAID = { A: "2025-01-10T12:00:00Z", B: "2025-02-10T12:00:00Z", C: "2025-03-10T12:00:00Z" } as const;
const CITY = { A: "Dunmore", B: "Tarnby", C: "Porthaven" } as const;
type Name = keyof typeof SAID;
const ORDERS: readonly (readonly [Name, Name, Name])[] = [
  ["A", "B", "C"],
  ["A", "C", "B"],
  ["B", "A", "C"],
  ["B", "C", "A"],
  ["C", "A", "B"],
  ["C", "B", "A"],
];

describe.each(ORDERS.map((order) => ({ order, title: order.join(" ") })))("told in the order $title", ({ order }) => {
  it("the order of speech decides what holds, and until when the others held", async () => {
    await using simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
    const memory = simplemem.scope({ userId: "ilse", userName: "Ilse" });
    for (const name of order) {
      const content = `I live in ${CITY[name]}.`;
      await memory.add({ id: name, speaker: "Ilse", content, timestamp: SAID[name], sessionId: name });
      await memory.flush();
    }
    const { items } = await memory.list({ status: ["active", "superseded"] });
    const told = new Map(items.map((entry) => [entry.sourceIds[0], entry]));
    const instant = (name: Name): string => new Date(SAID[name]).toISOString();
    expect(told.get("A")).toMatchObject({ status: "superseded", validTo: instant("B") });
    expect(told.get("B")).toMatchObject({ status: "superseded", validTo: instant("C") });
    expect(told.get("C")).toMatchObject({ status: "active", validTo: null });
    expect((await memory.ask("Where does Ilse live?")).answer).toBe("Porthaven");
  });
});

describe("an old conversation that is added today", () => {
  it("R42: is found by the time at which it was said, and not by the time at which it was stored", async () => {
    await using simplemem = await SimpleMem.open({
      uri: "memory://",
      window: { idleMs: 0 },
      clock: () => Date.parse("2026-06-01T12:00:00Z"),
    });
    const memory = simplemem.scope({ userId: "ilse", userName: "Ilse" });
    const old = { id: "old", content: "I sold the loom to a woman from Graz.", timestamp: "2023-05-08T10:00:00Z" };
    const recent = { id: "recent", content: "I bought a loom from a museum.", timestamp: "2026-05-20T10:00:00Z" };
    for (const [sessionId, turn] of [old, recent].entries()) {
      await memory.add({ speaker: "Ilse", sessionId: `s${sessionId}`, ...turn });
      await memory.flush();
    }
    const found = async (filter: { after?: string; before?: string }) => {
      const { hits } = await memory.search("loom", { k: 10, filter });
      return [...new Set(hits.flatMap(({ sourceIds }) => sourceIds))];
    };
    expect(await found({ after: "2023-05-01", before: "2023-06-01" })).toEqual(["old"]);
    expect(await found({ after: "2026-01-01" })).toEqual(["recent"]);
    const { items } = await memory.list({ filter: { before: "2024-01-01" } });
    expect(items.map(({ sourceIds }) => sourceIds)).toEqual([["old"]]);
  });
});
