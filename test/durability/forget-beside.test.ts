import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

const LAST = 24;

it("forgetting while another process adds, extracts and folds takes what was named, and nothing else (R58, R60)", async () => {
  const uri = freshFolder();
  const simplemem = await SimpleMem.open({ uri, window: { size: 10, idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse", sessionId: "w" });
  const bystander = simplemem.scope({ userId: "u-bram", sessionId: "w" });
  await bystander.add({ id: "w-1", speaker: "Bram", content: "The locker code of room w-1 is 10001." });
  const named = new Set<string>();
  const receipts: boolean[] = [];
  const child = ended(startChild("writer-child", [uri, "w", "1", String(LAST), "5"]));
  let isRunning = true;
  void child.then(() => {
    isRunning = false;
  });
  while (isRunning) {
    const ids = (await memory.turns({ limit: 100 }))
      .map(({ dialogueId }) => dialogueId)
      .filter((id) => /[37]$/.test(id));
    for (const id of ids) named.add(id);
    if (ids.length > 0) receipts.push((await memory.forget({ ids, purge: named.size % 2 === 0 })).verified);
    await simplemem.scope({ userId: "u-ilse" }).search("locker", { planning: "never" });
  }
  const { lines, errors } = await child;
  expect([lines.length, errors]).toEqual([LAST, ""]);
  await memory.flush();
  const kept = lines.filter((id) => !named.has(id)).sort();
  expect(named.size).toBeGreaterThan(0);
  expect(receipts).toEqual(receipts.map(() => true));
  expect((await memory.turns({ limit: 100 })).map(({ dialogueId }) => dialogueId).sort()).toEqual(kept);
  const status = ["active", "superseded", "conflicted", "archived"] as const;
  const proof = (await memory.list({ status })).items.flatMap(({ sourceIds }) => sourceIds);
  expect([...new Set(proof)].sort()).toEqual(kept);
  expect(await memory.stats()).toMatchObject({ pendingTurns: 0, windows: { pending: 0, failed: 0 } });
  expect((await bystander.turns()).map(({ dialogueId }) => dialogueId)).toEqual(["w-1"]);
  await simplemem.close();
}, 60_000);
