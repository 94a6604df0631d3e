import { brokenIn, type Outcome, Outcomes } from "./outcome.js";
import { linesOf, type Programs } from "./programs.js";
import { fill, open, withFolder } from "./store.js";
import { Tally, VICTIM } from "./tally.js";

const WRITERS = ["flush", "add", "maintain", "flush"] as const;
const CHECKED_EVERY_MS = 20_000;

/** Four processes that write into one folder for some minutes, looked at meanwhile and afterwards. */
export function writers(programs: Programs, minutes: number): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("writers");
  return withFolder(async (folder) => {
    const tally = new Tally();
    await fill(folder, tally, 20);
    const children = WRITERS.map((what, index) => programs.start("victim", [folder, what, `w${index}`]));
    const ends = children.map((child) => linesOf(child, (line) => tally.take(line)));
    const simplemem = await open(folder);
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(CHECKED_EVERY_MS, end - Date.now())));
      const { findings } = await simplemem.verify();
      const faults = findings
        .filter(({ severity }) => severity === "fault")
        .map(({ rule, message }) => `${rule}: ${message}`);
      outcomes.tried("verify beside four writers", faults);
    }
    for (const child of children) child.kill("SIGKILL");
    const errors = (await Promise.all(ends)).flatMap((one) => (one.errors === "" ? [] : [one.errors.slice(0, 300)]));
    await simplemem.scope(VICTIM).flush();
    const { faults, warnings } = await brokenIn(simplemem, tally);
    outcomes.tried(
      `${tally.accepted} turns by four writers in ${minutes} min, then all killed`,
      [...errors, ...faults],
      warnings,
    );
    await simplemem.close();
    return outcomes.all();
  });
}
