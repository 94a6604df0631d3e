import { expect, it } from "vitest";
import { ScopeLocks } from "../../src/graph/scope-locks.js";
import type { Claims } from "../../src/store/index.js";

/** Claims that nobody else holds, with what was asked of them. */
function locksOver() {
  const asked: string[] = [];
  const claims: Claims = {
    acquire: async (name) => asked.push(`take ${name}`) > 0,
    release: async (name) => void asked.push(`free ${name}`),
  };
  let now = 0;
  const locks = new ScopeLocks({ claims }, { id: "me", isDead: () => false }, () => now);
  return { locks, asked, passTime: (ms: number) => (now += ms) };
}

it("a scope that is passed to the next step of a run is claimed once", async () => {
  const { locks, asked } = locksOver();
  await locks.lock("s", "run");
  await locks.pass("run");
  await locks.lock("s", "run");
  await locks.unlock("run");
  expect(asked).toEqual(["take s", "free s"]);
});

it("a passed scope goes to who waits for it", async () => {
  const { locks, asked } = locksOver();
  await locks.lock("s", "run");
  const other = locks.with("s", "other", async () => asked.push("other works"));
  await locks.pass("run");
  await other;
  expect(asked).toEqual(["take s", "free s", "take s", "other works", "free s"]);
});

it("a scope that was held for more than a second is not kept for the next step", async () => {
  const { locks, asked, passTime } = locksOver();
  await locks.lock("s", "run");
  passTime(1_001);
  await locks.pass("run");
  expect(asked).toEqual(["take s", "free s"]);
});
