import { expect, it } from "vitest";
import { SimpleMem, type VerifyFinding } from "../../src/index.js";
import { freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

it("verify raises no false alarm beside processes that add, extract, fold and forget", async () => {
  const uri = freshFolder();
  const simplemem = await SimpleMem.open({ uri, window: { size: 10, idleMs: 0 } });
  const reader = await SimpleMem.open({ uri, readOnly: true });
  const memory = simplemem.scope({ userId: "u-ilse", sessionId: "a" });
  const children = Promise.all(
    ["a", "b"].map((name) => ended(startChild("writer-child", [uri, name, "1", "40", "4"]))),
  );
  let isRunning = true;
  void children.then(() => {
    isRunning = false;
  });
  const findings: VerifyFinding[] = [];
  let runs = 0;
  while (isRunning) {
    const ids = (await memory.turns({ limit: 100 })).map(({ dialogueId }) => dialogueId).filter((id) => /7$/.test(id));
    const [one, other] = await Promise.all([
      simplemem.verify(),
      reader.verify(),
      ids.length === 0 ? null : memory.forget({ ids }),
    ]);
    findings.push(...one.findings, ...other.findings);
    runs += 1;
  }
  for (const { errors, code } of await children) expect([code, errors]).toEqual([0, ""]);
  await memory.flush();
  expect(runs).toBeGreaterThan(1);
  expect(findings).toEqual([]);
  expect((await simplemem.verify()).findings).toEqual([]);
  await Promise.all([simplemem.close(), reader.close()]);
}, 120_000);
