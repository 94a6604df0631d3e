import { afterAll, beforeAll, expect, it } from "vitest";
import { PARTS } from "../../bench/torture/parts.js";
import { Programs } from "../../bench/torture/programs.js";
import { seeded } from "../../bench/torture/random.js";

const SMALLEST = { kills: 2, within: 1, files: 1, jumps: 8, rounds: 1, minutes: 0.03, kinds: 1 };

const programs = new Programs();
beforeAll(() => programs.build());
afterAll(() => programs.remove());

it.each(Object.entries(PARTS))(
  "the part %s of the torture program does what it says, and finds nothing broken",
  async (part, work) => {
    const told: string[] = [];
    const outcomes = await work(programs, seeded(5), SMALLEST, (_part, _done, _of, faults) => told.push(...faults));
    // Where no file system may be mounted, the parts that need one say so.
    const isRun = outcomes.some(({ tried }) => tried > 0);
    const saysWhy = outcomes.some(({ what }) => what === "not run");
    expect([part, isRun || saysWhy]).toEqual([part, true]);
    expect([part, outcomes.flatMap(({ faults }) => faults), told]).toEqual([part, [], []]);
  },
  300_000,
);
