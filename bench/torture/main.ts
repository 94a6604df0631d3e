import { mkdir, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clockJumps } from "./clock.js";
import { diskFull, readOnlyFlips } from "./disk.js";
import { kill } from "./kill.js";
import { badModels } from "./model.js";
import { type Outcome, table } from "./outcome.js";
import { Programs } from "./programs.js";
import { seeded } from "./random.js";
import { damage } from "./truncate.js";
import { writers } from "./writers.js";

/**
 * Does to stores what may happen to them, and looks each time whether everything that was acknowledged is there, by `verify` and by a count kept
 * outside. Prints a table, and writes it as JSON to bench/results/torture.json.
 *
 * npm run torture -- [--part kill,disk,readonly,clock,files,writers,model] [--kills 500] [--within 600 (minutes for the kills)] [--files 120] [--jumps 400] [--rounds 4]
 * [--minutes 10] [--seed 1]
 */
const { values } = parseArgs({
  options: {
    part: { type: "string", default: "kill,disk,readonly,clock,files,writers,model" },
    kills: { type: "string", default: "500" },
    within: { type: "string", default: "600" },
    files: { type: "string", default: "120" },
    jumps: { type: "string", default: "400" },
    rounds: { type: "string", default: "4" },
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: join(import.meta.dirname, "../results/torture.json") },
  },
});

const SHOWN_FAULTS = 20;
const random = seeded(Number(values.seed));
const programs = new Programs();

function tell(part: string, of: number): (done: number, faults: readonly string[]) => void {
  return (done, faults) => {
    for (const fault of faults) console.error(`${part} ${done}: ${fault}`);
    if (done % 10 === 0) console.error(`${part} ${done}/${of}`);
  };
}

const PARTS: { readonly [part: string]: () => Promise<readonly Outcome[]> } = {
  kill: () =>
    kill(
      programs,
      random,
      { kills: Number(values.kills), minutes: Number(values.within) },
      tell("kill", Number(values.kills)),
    ),
  disk: () => diskFull(random, Number(values.rounds)),
  readonly: () => readOnlyFlips(Number(values.rounds)),
  clock: () => clockJumps(random, Number(values.jumps)),
  files: () => damage(programs, random, Number(values.files), tell("file", Number(values.files))),
  writers: () => writers(programs, Number(values.minutes)),
  model: badModels,
};

async function run(): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const part of values.part.split(",")) {
    const work = PARTS[part];
    if (work === undefined) throw new Error(`there is no part ${part}; there are ${Object.keys(PARTS).join(", ")}`);
    const started = Date.now();
    outcomes.push(...(await work()));
    console.error(`${part} took ${Math.round((Date.now() - started) / 1000)} s`);
  }
  return outcomes;
}

await programs.build();
try {
  const outcomes = await run();
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  console.log(`${table(outcomes)}\n\n${machine}`);
  const faults = outcomes.flatMap((one) => one.faults.map((fault) => `${one.part}, ${one.what}: ${fault}`));
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.log(`- ${fault}`);
  await mkdir(join(values.out, ".."), { recursive: true });
  await writeFile(values.out, `${JSON.stringify({ machine, options: values, outcomes }, null, 2)}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  programs.remove();
}
