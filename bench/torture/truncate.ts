import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Outcome, Outcomes } from "./outcome.js";
import { linesOf, type Programs } from "./programs.js";
import { below, type Random } from "./random.js";
import { copyFolder, fill, open, withFolder } from "./store.js";
import { Tally } from "./tally.js";

/** Ways in which a file may be damaged. */
const DAMAGES = {
  "cut to a half": async (path: string) => truncate(path, Math.floor((await readFile(path)).length / 2)),
  emptied: (path: string) => truncate(path, 0),
  removed: (path: string) => rm(path),
  "one byte changed": async (path: string) => {
    const bytes = await readFile(path);
    const place = Math.floor(bytes.length / 3);
    bytes[place] = (bytes[place] ?? 0) ^ 0xff;
    await writeFile(path, bytes);
  },
} as const;

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile())
    .map((file) => relative(folder, join(file.parentPath, file.name)))
    .filter((path) => path.includes(".lance/"))
    .sort();
}

/** Probes the folder in a process of its own; undefined when that died. */
async function probe(programs: Programs, folder: string) {
  let answer = "";
  await linesOf(programs.start("probe", [folder]), (line) => {
    answer = line;
  });
  if (answer === "") return undefined;
  const parsed: { error: string | null; isTyped: boolean; rules: string[]; hash: string } = JSON.parse(answer);
  return parsed;
}

/** Damages files of a store one by one: each must give a typed error or a finding, unless everything is still read as it was. */
export async function damage(
  programs: Programs,
  random: Random,
  files: number,
  onFile: (done: number, faults: readonly string[]) => void,
): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("damaged files");
  return withFolder(async (root) => {
    const whole = join(root, "whole");
    await fill(whole, new Tally(), 60);
    const simplemem = await open(whole);
    await simplemem.maintain();
    await simplemem.close();
    const before = await probe(programs, whole);
    const paths = await filesIn(whole);
    const ways = Object.entries(DAMAGES);
    for (let done = 0; done < files; done += 1) {
      const path = paths[below(random, paths.length)] ?? "";
      const [way, work] = ways[done % ways.length] ?? ["", async () => {}];
      const copy = join(root, `damaged-${done}`);
      await copyFolder(whole, copy);
      await work(join(copy, path));
      const after = await probe(programs, copy);
      const isSame = after?.error === null && after.hash === before?.hash;
      const faults: string[] = [];
      if (after === undefined) faults.push(`${path} ${way}: the process died`);
      else if (after.error !== null && !after.isTyped) faults.push(`${path} ${way}: ${after.error}`);
      else if (after.error === null && after.rules.length === 0 && !isSame) faults.push(`${path} ${way}: silence`);
      const seen = after?.error !== null ? "error" : after.rules.length > 0 ? "finding" : "all read as before";
      outcomes.tried(way, faults, [seen]);
      onFile(done + 1, faults);
      await rm(copy, { recursive: true });
    }
    return outcomes.all();
  });
}
