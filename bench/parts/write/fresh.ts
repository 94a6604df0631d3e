import type { TurnInput } from "../../../src/index.js";
import { SimpleMem } from "../../../src/index.js";
import { commitsOf } from "../../suite/commits.js";
import { inFreshFolder } from "../../suite/folders.js";
import { madeUpTurns } from "../../suite/made-up.js";
import { NullEmbeddings } from "../../suite/null-embeddings.js";
import { inTurn, median, rounded, timed } from "../../suite/numbers.js";
import { type BenchOptions, type BenchTable, repetitions, type Target } from "../../suite/part.js";
import { rawAppends } from "./raw.js";

const TURNS = 600;
const SINGLES = 100;
const ROUNDS = 3;
/** What one accepted turn must append to: the inbox and the log. */
export const APPENDS_PER_ADD = 2;

/** @param embeddings a fresh one: vectors cost nothing */
function openMemory(uri: string, embeddings: NullEmbeddings): Promise<SimpleMem> {
  return SimpleMem.open({ uri, embeddings, window: { idleMs: 0 } });
}

/** All turns in one `add`, then `flush`, then what runs in the background. */
async function bulk(turns: readonly TurnInput[]) {
  return inFreshFolder(async (folder) => {
    const simplemem = await openMemory(folder, new NullEmbeddings());
    const memory = simplemem.scope({ userId: "bench" });
    const addMs = await timed(() => memory.add(turns));
    let entries = 0;
    const flushMs = await timed(async () => {
      entries = (await memory.flush()).entries.added;
    });
    const closeMs = await timed(() => simplemem.close());
    return { addMs, flushMs, closeMs, entries, commits: await commitsOf(folder) };
  });
}

/** One turn per `add`. */
async function singles(turns: readonly TurnInput[]) {
  return inFreshFolder(async (folder) => {
    const simplemem = await openMemory(folder, new NullEmbeddings());
    const memory = simplemem.scope({ userId: "bench" });
    const adds: number[] = [];
    for (const turn of turns) adds.push(await timed(() => memory.add(turn)));
    const flushMs = await timed(() => memory.flush());
    await simplemem.close();
    return { addMs: median(adds), flushMsPerTurn: flushMs / turns.length };
  });
}

interface Round {
  readonly raw: Awaited<ReturnType<typeof rawAppends>>;
  readonly all: Awaited<ReturnType<typeof bulk>>;
  readonly ones: Awaited<ReturnType<typeof singles>>;
}

/** Writing into a store that was empty, beside plain LanceDB appends of the same run. */
export async function freshStore(options: BenchOptions): Promise<{ tables: BenchTable[]; targets: Target[] }> {
  const turns = madeUpTurns(repetitions(options, TURNS));
  const few = turns.slice(0, repetitions(options, SINGLES));
  const rounds = await inTurn(Math.ceil(ROUNDS * options.effort), async () => ({
    raw: await rawAppends(turns, new NullEmbeddings().dimension),
    all: await bulk(turns),
    ones: await singles(few),
  }));
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  const bulkMs = middle(({ all }) => all.addMs + all.flushMs + all.closeMs) / turns.length;
  const addOne = middle(({ ones }) => ones.addMs);
  const rawOne = middle(({ raw }) => raw.oneMs);
  const row = {
    turns: turns.length,
    "turns/s": Math.round(1_000 / bulkMs),
    "ms a turn": rounded(bulkMs),
    "of it add": rounded(middle(({ all }) => all.addMs) / turns.length),
    flush: rounded(middle(({ all }) => all.flushMs) / turns.length),
    "LanceDB, bulk": rounded(middle(({ raw }) => raw.bulkMsPerTurn)),
    "add of one, ms": rounded(addOne),
    "LanceDB, one append": rounded(rawOne),
    "flush after single adds, ms a turn": rounded(middle(({ ones }) => ones.flushMsPerTurn)),
  };
  const ratio = rounded(addOne / (rawOne * APPENDS_PER_ADD));
  return {
    tables: [
      { title: "A fresh store, embedder of no cost", rows: [row] },
      { title: "Commits that these turns took, by table", rows: [rounds[0]?.all.commits ?? {}] },
    ],
    targets: [{ what: "add of one turn ÷ two LanceDB appends, fresh store", measured: ratio, limit: 2 }],
  };
}
