import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { locomoFolder } from "../src/eval/index.js";
import { embedding } from "./parts/embed.js";
import { peers } from "./parts/peers.js";
import { reading } from "./parts/read/index.js";
import { startup } from "./parts/startup/index.js";
import { tokens } from "./parts/tokens.js";
import { writing } from "./parts/write/index.js";
import { isMain } from "./suite/child.js";
import { sizeOf } from "./suite/numbers.js";
import type { BenchOptions, Outcome, Part } from "./suite/part.js";
import { outcomeText, writeOutcome } from "./suite/report.js";

/**
 * Measures the library, each figure as a ratio within one run where there is something to compare with. Tables go to standard
 * output, JSON and plots to bench/results.
 *
 * npm run bench -- [--part write,read,embed,peers,tokens,startup] [--sizes 1k,10k] [--stores DIR] [--effort 1] [--locomo DIR]
 *   [--files 30] [--results DIR]
 *
 * `--stores` keeps the seeded stores, and uses them again; `--effort .1` repeats a tenth as often, for a look.
 */
const OPTIONS = {
  part: { type: "string", default: "write,read,embed,peers,tokens,startup" },
  sizes: { type: "string", default: "1k,10k" },
  stores: { type: "string" },
  effort: { type: "string", default: "1" },
  locomo: { type: "string", default: locomoFolder(process.env) },
  files: { type: "string" },
  results: { type: "string", default: "bench/results" },
} as const;

export const PARTS: { readonly [name: string]: Part } = {
  write: writing,
  read: reading,
  embed: embedding,
  peers,
  tokens,
  startup,
};

/** @throws Error for a part that is not known */
export async function runPart(name: string, options: BenchOptions, results: string): Promise<Outcome> {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(PARTS).join(", ")}.`);
  const outcome = await part(options);
  await writeOutcome(results, name, outcome);
  return outcome;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const stores = values.stores ?? (await mkdtemp(join(tmpdir(), "bench-stores-")));
  const options: BenchOptions = {
    sizes: values.sizes
      .split(",")
      .map(sizeOf)
      .sort((left, right) => left - right),
    stores,
    effort: Number(values.effort),
    together: false,
    locomo: values.locomo,
    ...(values.files === undefined ? {} : { files: values.files.split(",") }),
  };
  try {
    for (const name of values.part.split(","))
      console.log(`${outcomeText(name, await runPart(name, options, values.results))}\n`);
  } finally {
    if (values.stores === undefined) await rm(stores, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) await main();
