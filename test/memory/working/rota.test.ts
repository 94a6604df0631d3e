import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Job } from "../../../src/memory/working/backlog.js";
import { Rota } from "../../../src/memory/working/rota.js";
import { exactScope } from "../../../src/store/index.js";

const REST_MS = 100;

function jobOf(userId: string): Job {
  return { scope: exactScope({ userId }), final: false };
}

function names(jobs: readonly Job[]): readonly string[] {
  return jobs.map(({ scope }) => scope.userId);
}

/** Draws these lots, then 0.5 for ever. */
function lots(...drawn: number[]): () => number {
  return () => drawn.shift() ?? 0.5;
}

describe("whose turn it is", () => {
  it("is decided by lot among those who come at once", () => {
    expect(names(new Rota(REST_MS, lots(0.9, 0.1, 0.4)).inOrder(["a", "b", "c"].map(jobOf), 0))).toEqual([
      "b",
      "c",
      "a",
    ]);
  });

  it("is not that of who had one before the others", () => {
    const rota = new Rota(REST_MS, lots());
    const [a, b] = [jobOf("a"), jobOf("b")];
    rota.inOrder([a, b], 0);
    rota.note(a, "something", 0);
    expect(names(rota.inOrder([a, b], 0))).toEqual(["b", "a"]);
  });

  it("comes to who had many before newcomers who keep coming: nobody waits for ever", () => {
    const rota = new Rota(REST_MS, lots());
    const busy = jobOf("busy");
    rota.inOrder([busy], 0);
    rota.note(busy, "something", 0);
    const served: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const [next] = rota.inOrder([busy, jobOf(`new${round}`), jobOf(`new${round + 1}`)], 0);
      if (next === undefined) continue;
      served.push(next.scope.userId);
      rota.note(next, "something", 0);
    }
    expect(served.slice(0, 4)).toContain("busy");
  });

  it("is not that of who got nowhere, for twice as long each time, until something came of it", () => {
    const rota = new Rota(REST_MS, lots());
    const a = jobOf("a");
    const isOn = (now: number): boolean => rota.inOrder([a], now).length === 1;
    rota.note(a, "nothing", 0);
    expect([isOn(99), isOn(100)]).toEqual([false, true]);
    rota.note(a, "nothing", 100);
    expect([isOn(299), isOn(300)]).toEqual([false, true]);
    rota.note(a, "something", 300);
    expect(isOn(300)).toBe(true);
    rota.note(a, "nothing", 300);
    expect([isOn(399), isOn(400)]).toEqual([false, true]);
  });

  it("comes to every one of any number of users within one round, whoever goes on having work", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (users, drawn) => {
          const rota = new Rota(REST_MS, lots(...drawn));
          const jobs = Array.from({ length: users }, (_, index) => jobOf(`u${index}`));
          const served = new Set<string>();
          for (let round = 0; round < users; round += 1) {
            const [next] = rota.inOrder(jobs, 0);
            if (next === undefined) return false;
            served.add(next.scope.userId);
            rota.note(next, "something", 0);
          }
          return served.size === users;
        },
      ),
    );
  });
});
