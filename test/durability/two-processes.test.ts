import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { openStore } from "../../src/store/index.js";
import { freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

const TURNS = 200;

it(`two processes add and flush ${TURNS} turns each into one folder: nothing lost, nothing twice`, async () => {
  const folder = freshFolder();
  const names = ["a", "b"];
  const ends = await Promise.all(
    names.map((name) => ended(startChild("writer-child", [folder, name, "1", String(TURNS), "20"]))),
  );
  for (const end of ends) expect(end.code, end.errors).toBe(0);
  await using simplemem = await SimpleMem.open({ uri: folder, window: { size: 10, idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse" });
  await memory.flush();
  const expected = names.flatMap((name) => Array.from({ length: TURNS }, (_, index) => `${name}-${index + 1}`)).sort();
  const store = await openStore({ uri: folder });
  const log = await store.turns.list({ tenantId: "", userId: "u-ilse", agentId: "" }, {});
  await store.close();
  expect(log.map((turn) => turn.dialogueId).sort()).toEqual(expected);
  const { items } = await memory.list();
  expect(items.flatMap((entry) => entry.sourceIds).sort()).toEqual(expected);
  const facts = items.map((entry) => entry.losslessRestatement);
  expect(new Set(facts).size).toBe(facts.length);
}, 1_500_000);
