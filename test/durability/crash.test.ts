import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { openStore } from "../../src/store/index.js";
import { freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

const KILLS = 40;

/** A small generator with a seed, so that a failing run can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

it(`every accepted turn is in the log once and every fact once after ${KILLS} kills at random moments`, async () => {
  const folder = freshFolder();
  const random = seeded(20_260_925);
  const accepted: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const name = `k${kill}`;
    const child = startChild("writer-child", [folder, name, "1", "1000", "3"]);
    const lines = 1 + Math.floor(random() * 5);
    const delay = Math.floor(random() * 80);
    let isDoomed = false;
    const end = await ended(child, (count) => {
      if (count < lines || isDoomed) return;
      isDoomed = true;
      setTimeout(() => child.kill("SIGKILL"), delay);
    });
    expect(end.code, end.errors).toBeNull();
    accepted.push(...end.lines);
  }
  await using simplemem = await SimpleMem.open({ uri: folder, window: { size: 10, idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse" });
  const report = await memory.flush();
  expect(report.failures).toEqual([]);
  const store = await openStore({ uri: folder });
  const log = await store.turns.list({ tenantId: "", userId: "u-ilse", agentId: "" }, {});
  await store.close();
  const ids = log.map((turn) => turn.dialogueId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(accepted.filter((id) => !ids.includes(id))).toEqual([]);
  const { items } = await memory.list();
  const facts = items.map((entry) => entry.losslessRestatement);
  expect(new Set(facts).size).toBe(facts.length);
  const proven = items.flatMap((entry) => entry.sourceIds);
  expect([...proven].sort()).toEqual([...ids].sort());
}, 1_500_000);
