import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRuleExtractor } from "../../../src/stages/extract/index.js";
import { isLong, partsOf } from "../../../src/stages/extract/parts.js";
import { run, texts, turn } from "./fixtures.js";

const LONGEST = 1500;

describe("partsOf", () => {
  const piece = fc.constantFrom("Ilse sold a loom. ", "wool ", "他买了书。", "🐟".repeat(40), "x".repeat(400), "\n");

  it("loses no character, tears none and keeps to the length", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const text = pieces.join("");
        const parts = [...partsOf(text)];
        expect(parts.join("")).toBe(text);
        expect(parts.every((part) => part.length <= LONGEST && part.isWellFormed())).toBe(true);
      }),
    );
  });

  it("cuts between sentences where there are some", () => {
    const parts = [...partsOf("Ilse sold a loom. ".repeat(500))];
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.endsWith("loom. "))).toBe(true);
  });
});

describe("a long turn", () => {
  const filler = Array.from({ length: 2000 }, (_, index) => `Bram sold kayak number ${index} in Skerrow. `).join("");
  const long = `My boat is called Tern. ${filler}My dog is called Rill.`;

  it("lets other work run while it is read, and is read to its end (R75)", async () => {
    let turnsOfTheLoop = 0;
    let isDone = false;
    const count = (): void => {
      turnsOfTheLoop += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const input = { windowId: "w", turns: [turn("Ilse", long)], context: [], neighbours: [], timeZone: "UTC" };
    const { items } = await createRuleExtractor().extract(input, run);
    isDone = true;
    expect(isLong(long)).toBe(true);
    expect(turnsOfTheLoop).toBeGreaterThan(long.length / LONGEST);
    expect(items[0]?.losslessRestatement).toBe("Ilse's boat is called Tern.");
    expect(items.at(-1)?.losslessRestatement).toBe("Ilse's dog is called Rill.");
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const input = { windowId: "w", turns: [turn("Ilse", long)], context: [], neighbours: [], timeZone: "UTC" };
    const reading = createRuleExtractor().extract(input, { ...run, signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toThrow();
  });
});

describe("a sentence said again and again in one turn", () => {
  it.each([
    ["I sold the loom yesterday. ", "Ilse sold the loom on 4 November 2024."],
    ["我昨天卖了织布机。", "Ilse 2024年11月4日卖了织布机。"],
  ])("gives one entry: %s", async (sentence, expected) => {
    expect(await texts([turn("Ilse", sentence.repeat(30))])).toEqual([expected]);
  });
});
