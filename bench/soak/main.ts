import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "../machine.js";
import { soak } from "./soak.js";
import { table } from "./trend.js";

/**
 * Lets a process use a memory of bounded size for an hour: adds, windows, searches, answers, facts, corrections, forgetting, users who come and
 * go, items, upkeep. Tells whether the heap, handles, open files or the folder grow, and whether the process ends by itself. Prints a table, and
 * writes every sample as JSON.
 *
 * npm run soak -- [--minutes 60] [--every 60 (seconds between samples)] [--duty 0.15 (share of a core)] [--out file]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    every: { type: "string", default: "60" },
    duty: { type: "string", default: "0.15" },
    out: { type: "string", default: join(import.meta.dirname, "../results/soak.json") },
  },
});

const soaked = await soak({
  minutes: Number(values.minutes),
  every: Number(values.every),
  duty: Number(values.duty),
  onSample: (sample) => console.error(JSON.stringify(sample)),
});
const { samples, faults, rows, endedAfterMs } = soaked;
console.log(`${table(soaked.trends)}\n\n${machine()}`);
console.log(
  `${samples.at(-1)?.turns ?? 0} turns; rows at the end: ${JSON.stringify(rows)}; ended ${endedAfterMs} ms after close`,
);
for (const fault of faults) console.log(`- ${fault}`);
await mkdir(join(values.out, ".."), { recursive: true });
await writeFile(values.out, `${JSON.stringify({ machine: machine(), options: values, ...soaked }, null, 2)}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
