import { existsSync } from "node:fs";
import { inChild } from "../../suite/child.js";
import { inTurn, median, rounded, sizeName } from "../../suite/numbers.js";
import { type BenchOptions, type Cells, type Part, repetitions } from "../../suite/part.js";
import { seed, storeOf } from "../../suite/seed.js";
import { packageRow } from "./package.js";

const RUNS = 5;
const BUILT = new URL("../../../dist/", import.meta.url);
const DOORS = ["index.js", "index.cjs", "memory.js", "embeddings.js"];

interface Opened {
  readonly openMs: number;
  readonly searchMs: number;
}

async function opened(options: BenchOptions, size: number): Promise<Cells> {
  const folder = storeOf(options.stores, size);
  await seed(folder, size);
  const script = new URL("./open.ts", import.meta.url);
  const runs = await inTurn(repetitions(options, RUNS), () => inChild<Opened>(script, [folder]));
  return {
    entries: sizeName(size),
    "open ms": rounded(median(runs.map(({ openMs }) => openMs))),
    "first search ms": rounded(median(runs.map(({ searchMs }) => searchMs))),
  };
}

async function imported(options: BenchOptions, door: string): Promise<Cells> {
  const script = new URL("./import.mjs", import.meta.url);
  const times = await inTurn(repetitions(options, RUNS), () => inChild<number>(script, [new URL(door, BUILT).href]));
  return { door: `dist/${door}`, "cold import ms": rounded(median(times)) };
}

/** What a process waits for before its first search, and what it had to install. */
export const startup: Part = async (options) => {
  const opens: Cells[] = [];
  for (const size of options.sizes) opens.push(await opened(options, size));
  const ofStores = { title: "A new process: open, then one search of the large scope", rows: opens };
  if (!existsSync(new URL("index.js", BUILT))) {
    return { tables: [ofStores], left: ["imports and the size of the package: `npm run build` first"] };
  }
  const imports: Cells[] = [];
  for (const door of DOORS) imports.push(await imported(options, door));
  return {
    tables: [
      ofStores,
      { title: "Import in a new process", rows: imports },
      { title: "The package", rows: [packageRow()] },
    ],
  };
};
