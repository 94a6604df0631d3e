import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder } from "../support/folders.js";
import { openMaintained } from "../support/maintained.js";

function filesIn(uri: string, table: string): { data: number; versions: number } {
  const count = (folder: string): number => readdirSync(join(uri, `${table}.lance`, folder)).length;
  return { data: count("data"), versions: count("_versions") };
}

describe("a folder that is maintained (R37)", () => {
  it("holds few files and versions after 60 single adds, and all that was said", async () => {
    const uri = freshFolder();
    const { simplemem, memory } = await openMaintained({ uri });
    const content = (index: number): string => `The code of room ${index} is ${4000 + index}`;
    for (let index = 0; index < 60; index += 1)
      await memory.add({ id: `t${index}`, speaker: "Ilse", content: content(index) });
    await memory.flush();
    const { upkeep, failures } = await memory.maintain();
    expect(failures).toEqual([]);
    expect(upkeep).toMatchObject({ unindexedRows: 0, vectorIndexes: 0 });
    for (const table of ["turns", "inbox", "entries", "chunks", "ledger"]) {
      const { data, versions } = filesIn(uri, table);
      expect({ table, few: data <= 5 && versions <= 5 }).toEqual({ table, few: true });
    }
    for (const views of [["lexical"], ["semantic"]] as const) {
      const { hits } = await memory.search("the code of the room", { views, k: 100 });
      expect(new Set(hits.map(({ text }) => text)).size).toBe(60);
    }
    await simplemem.close();
  });

  it("is maintained by itself soon after it was opened, when that is asked for", async () => {
    const { simplemem, say } = await openMaintained({
      uri: freshFolder(),
      maintenance: { everyMs: 60_000, jitter: 0 },
    });
    await say("The heron nests in the mill");
    await expect.poll(async () => (await simplemem.maintenance.reports()).length, { timeout: 20_000 }).toBe(1);
    await simplemem.close();
  });
});
