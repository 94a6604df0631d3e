import { readdirSync, readlinkSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Database, loadModules } from "../../src/store/connection.js";
import { EVERY_ROW } from "../../src/store/filter.js";
import { StoreTable, type TableDesign } from "../../src/store/table.js";
import { freshFolder } from "../support/folders.js";

const DESIGN: TableDesign = {
  name: "notes",
  columns: { id: "text", words: "text" },
  key: "id",
  wordColumns: ["words"],
};
const FOLDS = 14;
/** So many that the index of the words lies in a file that stays open. */
const ROWS_A_FOLD = 200;

/** Files of a folder that were removed and are open all the same: they take room on the disk until they are closed. */
function openAndRemoved(folder: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) && target.endsWith("(deleted)");
    } catch {
      // It was closed meanwhile.
      return false;
    }
  }).length;
}

/** What nobody uses any more is closed when it is collected. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc !== "function") throw new Error("there is no gc");
  for (let round = 0; round < 3; round += 1) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Writes, folds and searches, as often as in weeks; answers how many removed files are open then, and how many rows there are. */
async function longLife(versionsPerConnection: number) {
  const uri = freshFolder();
  const modules = await loadModules();
  const database = new Database(modules, { uri, whyReadOnly: null, oneAtATime: false, versionsPerConnection });
  const table = new StoreTable(database, DESIGN);
  await table.create();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const rows = Array.from({ length: ROWS_A_FOLD }, (_, row) => ({
      id: `${fold}-${row}`,
      words: `room number${fold}x${row}`,
    }));
    await table.append(rows);
    await table.optimize(0);
    await table.state();
    await table.matching("room", new Map([["words", 1]]), EVERY_ROW, { limit: 3, columns: ["id"] });
  }
  await collectGarbage();
  const left = { open: openAndRemoved(uri), rows: await table.count(EVERY_ROW) };
  await database.close();
  return left;
}

it.skipIf(process.platform !== "linux")(
  "a process that lives long lets go of the indexes that were folded away, by making its connection anew (R78)",
  async () => {
    const [renewed, kept] = [await longLife(10), await longLife(100_000)];
    expect(renewed.rows).toBe(FOLDS * ROWS_A_FOLD);
    expect(kept.rows).toBe(FOLDS * ROWS_A_FOLD);
    // What is to be let go of is there: else the test would prove nothing.
    expect(kept.open).toBeGreaterThan(FOLDS / 2);
    expect(renewed.open).toBeLessThan(kept.open / 2);
  },
);
