import { describe, expect, it } from "vitest";
import { measure, seededRandom } from "../../src/eval/bootstrap.js";

const VALUES = [0, 0, 0, 1, 1, 0.5, 1, 0, 1, 1];

describe("bootstrap intervals", () => {
  it("are the same for the same seed and hold the mean", () => {
    const first = measure(VALUES, 7);
    expect(measure(VALUES, 7)).toEqual(first);
    expect(first.mean).toBeCloseTo(0.55);
    expect(first.low).toBeLessThan(first.mean);
    expect(first.high).toBeGreaterThan(first.mean);
  });

  it("narrow with the square root of the number of values", () => {
    const many = Array.from({ length: 16 }, () => VALUES).flat();
    const width = (values: number[]): number => measure(values, 7).high - measure(values, 7).low;
    expect(width(VALUES) / width(many)).toBeGreaterThan(3);
    expect(width(VALUES) / width(many)).toBeLessThan(5);
  });

  it("are a point for values that do not differ, and zero for none", () => {
    expect(measure([0.5, 0.5, 0.5], 1)).toEqual({ mean: 0.5, low: 0.5, high: 0.5, n: 3 });
    expect(measure([], 1)).toEqual({ mean: 0, low: 0, high: 0, n: 0 });
  });

  it("are drawn from numbers that fill [0, 1) evenly", () => {
    const random = seededRandom(3);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let drawn = 0; drawn < 10_000; drawn += 1) {
      const tenth = Math.floor(random() * 10);
      counts[tenth] = (counts[tenth] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
