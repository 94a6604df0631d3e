import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { injectionBudget } from "../../src/agents/injection-budget.js";

describe("the injection budget", () => {
  it.each([
    [0, 5, 600, 900],
    [0.5999, 5, 600, 900],
    [0.6, 3, 450, 400],
    [0.6999, 3, 450, 400],
    [0.7, 2, 250, 130],
    [0.7999, 2, 250, 130],
    [0.8, 0, 0, 0],
    [1, 0, 0, 0],
    [1.5, 0, 0, 0],
  ])("at r = %f allows %i items of %i characters and %i tokens", (fill, items, charactersPerItem, tokens) => {
    expect(injectionBudget(fill * 100_000, 100_000)).toEqual({ items, charactersPerItem, tokens });
  });

  it("is never more than what is left of a small window (R76)", () => {
    expect(injectionBudget(50, 100).tokens).toBe(50);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 8_000 }), (used, window) => {
        expect(injectionBudget(used, window).tokens).toBeLessThanOrEqual(Math.max(0, window - used));
      }),
    );
  });

  it("never grows while the window fills", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 0, max: 8_000 }), (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(injectionBudget(more, 8_000).tokens).toBeLessThanOrEqual(injectionBudget(less, 8_000).tokens);
      }),
    );
  });
});
