import { setTimeout } from "node:timers/promises";
import { readLine } from "./lines.js";
import { brokenIn, type Outcome, Outcomes } from "./outcome.js";
import { linesOf, type Programs } from "./programs.js";
import { fill, open, withFolder } from "./store.js";
import { Tally, VICTIM } from "./tally.js";
import { unproven } from "./witness.js";

const WRITERS = ["flush", "add", "maintain", "forget"] as const;
const BASE_TURNS = 20;
const CHECKED_EVERY_MS = 20_000;

/** Four processes that write into one folder for some minutes, looked at meanwhile and afterwards. */
export function writers(programs: Programs, minutes: number): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("writers");
  return withFolder(async (folder) => {
    const tally = new Tally();
    await fill(folder, tally, BASE_TURNS);
    const children = WRITERS.map((what, index) => programs.start("victim", [folder, what, `w${index}`]));
    const ends = children.map((child) => linesOf(child, (line) => tally.take(readLine(line))));
    const simplemem = await open(folder);
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end) {
      await setTimeout(Math.min(CHECKED_EVERY_MS, end - Date.now()));
      const { findings } = await simplemem.verify();
      const faults = findings
        .filter(({ severity }) => severity === "fault")
        .map(({ rule, message }) => `${rule}: ${message}`);
      outcomes.tried("verify beside four writers", faults);
    }
    for (const child of children) child.kill("SIGKILL");
    const errors = (await Promise.all(ends)).flatMap((one) => (one.errors === "" ? [] : [one.errors.slice(0, 300)]));
    const { failures } = await simplemem.scope(VICTIM).flush();
    const { faults, warnings } = await brokenIn(simplemem, tally, folder);
    outcomes.tried(
      `${tally.accepted.size} turns added and ${tally.forgotten.size} forgotten by four writers in ${minutes} min, then all killed`,
      [...errors, ...failures.map(({ error }) => error), ...faults, ...(await unproven(simplemem, tally))],
      warnings,
    );
    await simplemem.close();
    return outcomes.all();
  });
}
