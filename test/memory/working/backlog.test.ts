import { describe, expect, it } from "vitest";
import { outlookOf } from "../../../src/memory/working/backlog.js";
import type { OpenWindow, WaitingTurns } from "../../../src/store/index.js";
import { BRAM, ILSE } from "../../support/store.js";

const NOW = 1_000_000;
const look = { owner: { id: "me", isDead: () => false }, now: NOW };
const rule = { windowSize: 10, idleMs: 500, retryMs: 1000 };

/** Turns of Ilse's, of which the last came so many milliseconds ago. */
function turns(count: number, ageMs: number): WaitingTurns {
  return { scope: ILSE, count, newest: (NOW - ageMs) * 1000 };
}

function window(change: Partial<OpenWindow> = {}): OpenWindow {
  return { scope: ILSE, windowId: "w", owner: null, leaseExpiresAt: 0, attempts: 0, changedAt: NOW, ...change };
}

describe("what is to be done for a user", () => {
  it.each([
    ["a full window, of a user who goes on talking", { turns: [turns(10, 0)], windows: [] }, false],
    ["the rest, of one who fell silent", { turns: [turns(1, 500)], windows: [] }, true],
    ["a window that was cut", { turns: [], windows: [window()] }, false],
    ["a window that failed long ago", { turns: [], windows: [window({ attempts: 1, changedAt: NOW - 1000 })] }, false],
  ])("is %s", (_title, backlog, final) => {
    expect(outlookOf(backlog, rule, look).jobs).toEqual([{ scope: ILSE, final }]);
  });

  it.each([
    ["the user falls silent", { turns: [turns(3, 100)], windows: [] }, NOW + 400],
    ["a window may be tried again", { turns: [], windows: [window({ attempts: 2, changedAt: NOW })] }, NOW + 2000],
    [
      "the lease of another process ends",
      { turns: [turns(10, 0)], windows: [window({ owner: "other", leaseExpiresAt: NOW + 70 })] },
      NOW + 70,
    ],
  ])("is nothing until %s, and when that is it says", (_title, backlog, nextAt) => {
    expect(outlookOf(backlog, rule, look)).toEqual({ jobs: [], nextAt });
  });

  it("is nothing at all where nothing waits", () => {
    expect(outlookOf({ turns: [], windows: [] }, rule, look)).toEqual({ jobs: [], nextAt: Number.POSITIVE_INFINITY });
  });

  it("does not depend on what other users wait for", () => {
    const held = window({ owner: "other", leaseExpiresAt: NOW + 70 });
    const { jobs, nextAt } = outlookOf({ turns: [], windows: [held, window({ scope: BRAM })] }, rule, look);
    expect(jobs).toEqual([{ scope: BRAM, final: false }]);
    expect(nextAt).toBe(NOW + 70);
  });
});
