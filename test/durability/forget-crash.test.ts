import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { filesHolding, freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

const said = (id: string, content: string) => ({ id, speaker: "Ilse", content, timestamp: "2025-03-04T10:00:00Z" });
const open = (uri: string) => SimpleMem.open({ uri, window: { idleMs: 0 } });
const scopeOf = (simplemem: SimpleMem) => simplemem.scope({ userId: "u-ilse", sessionId: "s1" });

/** After how many of the 30 writes of a forget with its purge: while it takes the lock, notes, buries, removes, and rewrites files. */
const WRITES = [1, 6, 9, 12, 20];

async function filledFolder(): Promise<string> {
  const uri = freshFolder();
  const simplemem = await open(uri);
  const memory = scopeOf(simplemem);
  await memory.add([
    said("t1", "My boat lies in Dunmore."),
    said("t2", "My quokka sleeps in the harbour of Zwettl."),
    said("t3", "My sister Ane repairs clocks."),
  ]);
  await memory.flush();
  await simplemem.close();
  return uri;
}

describe("a process that is killed while it forgets", () => {
  it("leaves the turn whole, or leaves it to whoever opens the folder next, who brings the forget and its purge to their end", async () => {
    const filled = await filledFolder();
    for (const write of WRITES) {
      const uri = freshFolder();
      cpSync(filled, uri, { recursive: true });
      const { lines, errors } = await ended(startChild("forget-child", [uri, String(write)]));
      expect([write, errors]).toEqual([write, ""]);
      const simplemem = await open(uri);
      const memory = scopeOf(simplemem);
      const turns = (await memory.turns()).map(({ dialogueId }) => dialogueId);
      const proved = (await memory.list()).items.flatMap(({ sourceIds }) => sourceIds);
      const found = (await memory.search("quokka in Zwettl", { planning: "never" })).hits.flatMap(
        ({ sourceIds }) => sourceIds,
      );
      const state = [turns, proved, found].map((ids) => ids.includes("t2"));
      const isGone = filesHolding(uri, "quokka").length === 0;
      expect([write, state]).toEqual([write, isGone ? [false, false, false] : [true, true, true]]);
      expect(lines).toEqual([]);
      const receipt = await memory.forget({ ids: ["t2"], purge: true });
      expect([write, receipt.verified, filesHolding(uri, "quokka")]).toEqual([write, true, []]);
      expect((await memory.list()).items.flatMap(({ sourceIds }) => sourceIds).sort()).toEqual(["t1", "t3"]);
      expect(await memory.add(said("t2", "My quokka sleeps."))).toMatchObject({ refused: 1 });
      await simplemem.close();
    }
  }, 120_000);
});
