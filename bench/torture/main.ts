import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "../machine.js";
import { type Outcome, table } from "./outcome.js";
import { PARTS, type Size } from "./parts.js";
import { Programs } from "./programs.js";
import { seeded } from "./random.js";
import { keepResults } from "./results.js";

/**
 * Does to stores what may happen to them, and looks each time whether everything that was acknowledged is there, by `verify` and by a count kept
 * outside. Prints a table, and writes it as JSON to bench/results/torture.json.
 *
 * npm run torture -- [--part kill,disk,readonly,clock,files,model,writers] [--kills 500] [--within 600 (minutes for the kills)] [--files 120] [--jumps 400] [--rounds 4]
 * [--minutes 10] [--seed 1] [--out file] [--append (adds up with what the file holds)]
 */
const { values } = parseArgs({
  options: {
    part: { type: "string", default: Object.keys(PARTS).join(",") },
    kills: { type: "string", default: "500" },
    within: { type: "string", default: "600" },
    files: { type: "string", default: "120" },
    jumps: { type: "string", default: "400" },
    rounds: { type: "string", default: "4" },
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: join(import.meta.dirname, "../results/torture.json") },
    append: { type: "boolean", default: false },
  },
});

const SHOWN_FAULTS = 20;
const TOLD_EVERY = 10;

function tell(part: string, done: number, of: number, faults: readonly string[]): void {
  for (const fault of faults) console.error(`${part} ${done}: ${fault}`);
  if (done % TOLD_EVERY === 0) console.error(`${part} ${done}/${of}`);
}

async function run(programs: Programs): Promise<readonly Outcome[]> {
  const random = seeded(Number(values.seed));
  const size: Size = {
    kills: Number(values.kills),
    within: Number(values.within),
    files: Number(values.files),
    jumps: Number(values.jumps),
    rounds: Number(values.rounds),
    minutes: Number(values.minutes),
  };
  const outcomes: Outcome[] = [];
  for (const part of values.part.split(",")) {
    const work = PARTS[part];
    if (work === undefined) throw new Error(`there is no part ${part}; there are ${Object.keys(PARTS).join(", ")}`);
    const started = Date.now();
    outcomes.push(...(await work(programs, random, size, tell)));
    console.error(`${part} took ${Math.round((Date.now() - started) / 1000)} s`);
  }
  return outcomes;
}

const programs = new Programs();
await programs.build();
try {
  const { out, append, ...options } = values;
  const { outcomes } = await keepResults(out, machine(), options, await run(programs), append);
  console.log(`${table(outcomes)}\n\n${machine()}`);
  const faults = outcomes.flatMap((one) => one.faults.map((fault) => `${one.part}, ${one.what}: ${fault}`));
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.log(`- ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  programs.remove();
}
