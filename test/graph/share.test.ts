import { describe, expect, it } from "vitest";
import { dueAt, isHeldByOthers, shareOf } from "../../src/graph/share.js";
import type { OpenWindow } from "../../src/store/index.js";
import { ILSE } from "../support/store.js";

const NOW = 1_000_000;
const look = { owner: { id: "me", isDead: (owner: string) => owner === "dead" }, now: NOW };
const share = { windows: 2, retryMs: 1000 };

function open(change: Partial<OpenWindow> = {}): OpenWindow {
  return { scope: ILSE, windowId: "w", owner: null, leaseExpiresAt: 0, attempts: 0, changedAt: NOW, ...change };
}

const three = ["a", "b", "c"].map((windowId) => open({ windowId }));

describe("the windows that one run takes of a scope", () => {
  it("are the oldest, as many as it may", () => {
    expect(shareOf(three, share, look)).toEqual(["a", "b"]);
  });

  it("are none while another process works for the scope, whose facts come before theirs", () => {
    const held = open({ windowId: "x", owner: "other", leaseExpiresAt: NOW + 1 });
    expect(shareOf([held, ...three], share, look)).toEqual([]);
  });

  it.each([
    ["is over", { owner: "other", leaseExpiresAt: NOW }],
    ["is of a process that died", { owner: "dead", leaseExpiresAt: NOW + 1 }],
    ["is its own", { owner: "me", leaseExpiresAt: NOW + 1 }],
  ])("are those behind a window whose lease %s, and that window", (_title, holder) => {
    const window = open({ windowId: "x", ...holder });
    expect(isHeldByOthers(window, look)).toBe(false);
    expect(shareOf([window, ...three], share, look)).toEqual(["x", "a"]);
  });

  it("are not those that failed a moment ago, and these hold up nobody", () => {
    const failed = open({ windowId: "x", attempts: 1, changedAt: NOW - 999 });
    expect(shareOf([failed, ...three], share, look)).toEqual(["a", "b"]);
    expect(shareOf([{ ...failed, changedAt: NOW - 1000 }, ...three], share, look)).toEqual(["x", "a"]);
  });
});

it("a window waits twice as long after each try that failed, and never more than ten minutes", () => {
  const waits = [0, 1, 2, 3, 20].map((attempts) => dueAt(open({ attempts, changedAt: 0 }), share.retryMs));
  expect(waits).toEqual([0, 1000, 2000, 4000, 600_000]);
});
