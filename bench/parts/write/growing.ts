import { SimpleMem, type TurnInput } from "../../../src/index.js";
import { LocalEmbeddings } from "../../../src/models/index.js";
import type { ExactScope } from "../../../src/store/index.js";
import { inCopyOf } from "../../suite/folders.js";
import { madeUpTurns } from "../../suite/made-up.js";
import { NullEmbeddings } from "../../suite/null-embeddings.js";
import { mean, median, percentile, rounded, sizeName, timed, timedEach } from "../../suite/numbers.js";
import {
  type BenchOptions,
  type BenchTable,
  type Cells,
  type Plot,
  repetitions,
  type Target,
} from "../../suite/part.js";
import { LARGE, SMALL, seed, storeOf } from "../../suite/seed.js";
import { APPENDS_PER_ADD } from "./fresh.js";
import { rawAppends } from "./raw.js";

const SINGLES = 30;
const WINDOWS = 16;
const WINDOW_TURNS = 40;

interface Grown {
  readonly size: number;
  readonly scope: string;
  readonly addP50: number;
  readonly addP95: number;
  readonly rawMs: number;
  /** Of a window of 40 turns: `add`, `flush`, and what folding of tables fell in between, on average. */
  readonly windowMs: number;
  readonly windowP50: number;
}

/** Turns that no store was seeded with, in sessions of their own. */
function windowsOf(count: number): TurnInput[][] {
  const turns = madeUpTurns(count * WINDOW_TURNS);
  return Array.from({ length: count }, (_, window) =>
    turns
      .slice(window * WINDOW_TURNS, (window + 1) * WINDOW_TURNS)
      .map((turn) => ({ ...turn, id: `w-${turn.id}`, sessionId: `bench-${window}` })),
  );
}

/** Writes into one scope of a seeded store. The first window, which loads what is kept in memory, does not count. */
async function grow(uri: string, size: number, scope: ExactScope, options: BenchOptions): Promise<Grown> {
  const { modelName, dimension } = new LocalEmbeddings();
  const embeddings = new NullEmbeddings(modelName, dimension);
  const singles = madeUpTurns(repetitions(options, SINGLES)).map((turn) => ({ ...turn, sessionId: "bench-singles" }));
  const raw = await rawAppends(singles, dimension);
  const simplemem = await SimpleMem.open({ uri, embeddings, window: { idleMs: 0, background: false } });
  const memory = simplemem.scope({ userId: scope.userId });
  const adds = await timedEach(singles, (turn) => memory.add(turn));
  await memory.flush();
  const [first = [], ...windows] = windowsOf(repetitions(options, WINDOWS) + 1);
  const write = async (window: TurnInput[]): Promise<void> => {
    await memory.add(window);
    await memory.flush();
  };
  await write(first);
  const times = await timedEach(windows, write);
  const closing = await timed(() => simplemem.close());
  return {
    size,
    scope: scope.userId,
    addP50: median(adds),
    addP95: percentile(adds, 0.95),
    rawMs: raw.oneMs * APPENDS_PER_ADD,
    windowMs: mean(times) + closing / windows.length,
    windowP50: median(times),
  };
}

function rowOf({ size, scope, addP50, addP95, rawMs, windowMs, windowP50 }: Grown): Cells {
  return {
    entries: sizeName(size),
    scope,
    "add p50 ms": rounded(addP50),
    p95: rounded(addP95),
    "two LanceDB appends": rounded(rawMs),
    "window p50 ms": rounded(windowP50),
    mean: rounded(windowMs),
    "turns/s": Math.round((WINDOW_TURNS * 1000) / windowMs),
  };
}

function targetsOf(grown: readonly Grown[]): Target[] {
  return [SMALL, LARGE].flatMap(({ userId }) => {
    const ofScope = grown.filter(({ scope }) => scope === userId);
    const [first, last] = [ofScope[0], ofScope.at(-1)];
    if (first === undefined || last === undefined) return [];
    const name = `${sizeName(first.size)} to ${sizeName(last.size)}, ${userId} scope`;
    const worst = Math.max(...ofScope.map(({ addP50, rawMs }) => addP50 / rawMs));
    return [
      { what: `cost of a window, ${name}`, measured: rounded(last.windowMs / first.windowMs), limit: 4 },
      { what: `add p50 ÷ two LanceDB appends, worst of ${name}`, measured: rounded(worst), limit: 2 },
    ];
  });
}

function plotOf(grown: readonly Grown[]): Plot {
  const lineOf = (name: string, { userId }: ExactScope, of: (one: Grown) => number) => ({
    name,
    points: grown.filter(({ scope }) => scope === userId).map((one) => [one.size, of(one)] as const),
  });
  return {
    file: "bench-write",
    title: "Writing",
    x: "entries in the store",
    y: "ms",
    lines: [
      lineOf("window, large scope", LARGE, ({ windowMs }) => windowMs),
      lineOf("window, small scope", SMALL, ({ windowMs }) => windowMs),
      lineOf("add, large scope", LARGE, ({ addP50 }) => addP50),
      lineOf("add, small scope", SMALL, ({ addP50 }) => addP50),
    ],
  };
}

/** Writing into stores that hold more and more: into a scope that grows with them, and into one that stays small. */
export async function growingStores(
  options: BenchOptions,
): Promise<{ tables: BenchTable[]; targets: Target[]; plots: Plot[] }> {
  const grown: Grown[] = [];
  for (const size of options.sizes) {
    const folder = storeOf(options.stores, size);
    await seed(folder, size);
    for (const scope of [SMALL, LARGE]) grown.push(await inCopyOf(folder, (copy) => grow(copy, size, scope, options)));
  }
  return {
    tables: [{ title: "Growing stores: turns of 40 a window", rows: grown.map(rowOf) }],
    targets: targetsOf(grown),
    plots: [plotOf(grown)],
  };
}
