import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_MAINTENANCE } from "../../../src/records/index.js";
import { decayWeight } from "../../../src/stages/maintain/decay.js";
import { entryOf } from "../../support/store.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const TOUCHED = Date.parse(entryOf().updatedAt);

function weightAfter(days: number, change: Parameters<typeof entryOf>[0] = {}): number {
  return decayWeight(entryOf(change), DEFAULT_MAINTENANCE, TOUCHED + days * DAY_MS);
}

describe("the weight of an entry", () => {
  it.each([
    [0, 1],
    [30, 1],
    [60, 0.5],
    [75, 0.25],
    [90, 0],
    [4000, 0],
  ])("after %d days is %d", (days, weight) => {
    expect(weightAfter(days)).toBeCloseTo(weight, 10);
  });

  it.each([
    ["important", { importance: 0.8 }, 180],
    ["found three times", { accessCount: 3 }, 180],
    ["both", { importance: 0.9, accessCount: 7 }, 360],
  ])("of one that is %s lasts longer", (_title, change, end) => {
    expect(weightAfter(end - 1, change)).toBeGreaterThan(0);
    expect(weightAfter(end, change)).toBe(0);
  });

  it("begins anew when it is found", () => {
    const lastAccessedAt = new Date(TOUCHED + 80 * DAY_MS).toISOString();
    expect(weightAfter(110, { lastAccessedAt, accessCount: 1 })).toBe(1);
    expect(weightAfter(170, { lastAccessedAt, accessCount: 1 })).toBe(0);
  });

  it("never grows with time, stays between 0 and 1, and is 1 for what is pinned", () => {
    const days = fc.double({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(
        days,
        days,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(20),
        (some, more, importance, count) => {
          const change = { importance, accessCount: count };
          const [early, late] = [weightAfter(some, change), weightAfter(some + more, change)];
          expect(late).toBeLessThanOrEqual(early);
          expect(Math.min(early, late)).toBeGreaterThanOrEqual(0);
          expect(weightAfter(some + more, { ...change, pinned: true })).toBe(1);
        },
      ),
    );
  });
});
