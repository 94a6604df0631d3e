import { expect, it } from "vitest";
import type { Sample } from "../../bench/soak/sample.js";
import { trends } from "../../bench/soak/trend.js";

const MB = 1_000_000;

/** Samples of an hour, whose measures go as `at` says. */
function hour(at: (minute: number) => Partial<Sample>): readonly Sample[] {
  return Array.from({ length: 60 }, (_, minute) => ({
    seconds: minute * 60,
    heapBytes: 60 * MB,
    externalBytes: 7 * MB,
    rssBytes: 400 * MB,
    resources: 2,
    openFiles: 40,
    files: 120,
    bytes: MB,
    turns: minute * 10,
    ...at(minute),
  }));
}

function growing(samples: readonly Sample[]): readonly string[] {
  return trends(samples)
    .filter(({ grows }) => grows)
    .map(({ measure }) => measure);
}

it("what grows all the time is told apart from what goes up and down, and from a single high sample", () => {
  expect(growing(hour(() => ({})))).toEqual([]);
  expect(growing(hour((minute) => ({ heapBytes: 60 * MB + minute * 0.4 * MB })))).toEqual(["heapBytes"]);
  expect(growing(hour((minute) => ({ openFiles: 40 + (minute % 7) * 5, files: 120 + (minute % 2) * 30 })))).toEqual([]);
  expect(growing(hour((minute) => ({ openFiles: 40 + 3 * minute })))).toEqual(["openFiles"]);
  expect(growing(hour((minute) => ({ rssBytes: minute === 50 ? 900 * MB : 400 * MB })))).toEqual([]);
});

it("what fills in the first quarter of the time is no growth", () => {
  expect(growing(hour((minute) => ({ heapBytes: Math.min(15, minute) * MB })))).toEqual([]);
});
