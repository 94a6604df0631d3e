import { describe, expect, it } from "vitest";
import { createRuleConsolidator } from "../../../src/stages/consolidate/index.js";
import { planOutcome } from "../../../src/stages/consolidate/plans.js";
import { restsOn } from "../../../src/stages/consolidate/premises.js";
import { decide, entry, item } from "./fixtures.js";

const ILSE = { persons: ["Ilse"] };

function plan(text: string, over: Parameters<typeof entry>[1] = {}) {
  return entry(text, { ...ILSE, kind: "plan", ...over });
}

describe("a plan and later words", () => {
  it.each([
    ["Ilse plans to paint the garden shed.", "Ilse painted the garden shed."],
    ["Ilse will paint the garden shed on 20 January 2025.", "Ilse painted the garden shed on 21 January 2025."],
    ["Ilse wants to buy a cargo bike.", "Ilse bought a red cargo bike."],
    ["Ilse is going to visit her aunt Orla.", "Ilse visited her aunt Orla with Bram."],
    ["Ilse hopes to write a letter to the council.", "Ilse has written a letter to the council."],
    ["Ilse intends to take a pottery class.", "Ilse took a pottery class in Dunmore."],
    ["小雨打算粉刷花园的棚子。", "小雨粉刷了花园的棚子。"],
  ])("%s / %s: done", (known, next) => {
    const persons = known.startsWith("小雨") ? ["小雨"] : ["Ilse"];
    const told = item(next, { kind: "event", persons });
    expect(planOutcome(told, plan(known, { persons }))).toBe("done");
  });

  it.each([
    ["Ilse plans a trip to Skerrow in June 2025.", "Ilse cancelled the trip to Skerrow."],
    ["Ilse plans to paint the garden shed.", "Ilse decided not to paint the garden shed."],
    ["Ilse is going to paint the garden shed.", "Ilse is not going to paint the garden shed."],
    ["Ilse wants to take a pottery class.", "Ilse gave up on the pottery class."],
    ["Ilse plans to paint the garden shed.", "Ilse will not paint the shed."],
    ["小雨计划去苏州旅行。", "小雨取消了苏州旅行。"],
  ])("%s / %s: cancelled", (known, next) => {
    const persons = known.startsWith("小雨") ? ["小雨"] : ["Ilse"];
    expect(planOutcome(item(next, { persons }), plan(known, { persons }))).toBe("cancelled");
  });

  it.each([
    // Another thing, or only a part of it.
    ["Ilse plans to paint the garden shed.", "Ilse painted the fence."],
    ["Ilse plans to paint the garden shed.", "Ilse painted."],
    // Nothing happened yet.
    ["Ilse plans to paint the garden shed.", "Ilse wanted to paint the garden shed."],
    ["Ilse plans to paint the garden shed.", "Ilse almost painted the garden shed."],
    ["Ilse plans to paint the garden shed.", "Ilse postponed painting the garden shed."],
    // Somebody else did, or gave up.
    ["Ilse plans to paint the garden shed.", "Bram painted the garden shed."],
    ["Ilse plans to paint the garden shed.", "Bram decided not to paint the garden shed."],
    // One word alone says too little.
    ["Ilse plans to cook.", "Ilse cooked lunch."],
    // More was called off than was planned.
    ["Ilse plans to paint the garden shed.", "Ilse cancelled the order of the green paint."],
  ])("%s / %s: nothing changes", (known, next) => {
    const persons = next.startsWith("Bram") ? ["Bram"] : ["Ilse"];
    expect(planOutcome(item(next, { kind: "event", persons }), plan(known))).toBeNull();
  });

  it("is not done by what happened before it was made, or long before its day", () => {
    const told = item("Ilse visited her aunt Orla.", { ...ILSE, kind: "event" });
    const older = { ...told, mentionedAt: "2024-12-01T10:00:00.000Z" };
    expect(planOutcome(older, plan("Ilse wants to visit her aunt Orla."))).toBeNull();
    const due = plan("Ilse will visit her aunt Orla on 3 May 2025.", { timestamp: "2025-05-03T00:00:00.000Z" });
    expect(planOutcome(told, due)).toBeNull();
  });

  it("becomes done, or history when it was called off", async () => {
    const known = plan("Ilse plans to paint the garden shed.");
    const painted = item("Ilse painted the garden shed.", { ...ILSE, kind: "event" });
    expect(await decide(painted, known)).toEqual({ op: "done", target: "known" });
    const dropped = item("Ilse decided not to paint the garden shed.", ILSE);
    expect(await decide(dropped, known)).toEqual({ op: "supersede", target: "known" });
  });

  it("is not ended by an assistant's words", async () => {
    const told = item("Ilse painted the garden shed.", { ...ILSE, kind: "event", sourceRole: "assistant" });
    expect(await decide(told, plan("Ilse plans to paint the garden shed."))).toEqual({ op: "add" });
  });
});

describe("what rests on a premise", () => {
  const home = entry("Ilse lives in Dunmore.", { ...ILSE, entryId: "home" });

  it.each([
    "Ilse takes the ferry on Mondays because she lives in Dunmore.",
    "Ilse goes to the small gym as long as Ilse lives in Dunmore.",
    "Since Ilse lives in Dunmore, Ilse has no car.",
  ])("rests on it: %s", (text) => {
    expect(restsOn(entry(text, ILSE), home)).toBe(true);
  });

  it.each([
    "Ilse likes the harbour of Dunmore.",
    "Ilse takes the ferry on Mondays because the bus is slow.",
    "Bram takes the ferry because Bram lives in Dunmore.",
  ])("does not: %s", (text) => {
    const persons = text.startsWith("Bram") ? ["Bram"] : ["Ilse"];
    expect(restsOn(entry(text, { persons, speaker: persons[0] ?? "" }), home)).toBe(false);
  });

  it("is told by the consolidator", () => {
    const ferry = entry("Ilse takes the ferry because she lives in Dunmore.", { ...ILSE, entryId: "ferry" });
    const harbour = entry("Ilse likes the harbour of Dunmore.", { ...ILSE, entryId: "harbour" });
    expect(createRuleConsolidator().inDoubt?.({ premise: home, neighbours: [harbour, ferry] })).toEqual([ferry]);
  });
});
