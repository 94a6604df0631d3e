import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { SimpleMem } from "../src/index.js";
import { machine } from "./machine.js";

/**
 * Measures the constants of the capacity plan in docs/scale.md, with the rules in the place of a model: what a turn takes on disk after
 * maintenance and in processor time, and how many searches one core answers. Prints one line of JSON.
 *
 * npm run bench:capacity -- [--turns 2000] [--users 20] [--searches 200]
 */
const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "2000" },
    users: { type: "string", default: "20" },
    searches: { type: "string", default: "200" },
  },
});
const [turns, users, searches] = [Number(values.turns), Number(values.users), Number(values.searches)];

const FIRST_TURN = Date.parse("2025-03-04T09:00:00Z");
const TURN_MS = 90_000;
const BATCH = 40;
const THINGS = ["clock", "boat", "garden wall", "violin", "bicycle", "kite", "lantern"];
const PLACES = ["Mill Lane", "Porthaven", "Station Road", "Graz", "the market"];

/** One that states a fact, as every third does in this made-up conversation, or small talk. */
function contentOf(number: number): string {
  const [thing, place] = [THINGS[number % THINGS.length], PLACES[(number * 3) % PLACES.length]];
  if (number % 3 === 0) return `I repaired the ${thing} number ${number} in ${place} for ${20 + (number % 80)} euros.`;
  return number % 3 === 1 ? "That sounds great, did it take you long?" : `Not really, the ${thing} was easy this time.`;
}

/** Milliseconds of the processor that the work took, in all threads, and of the clock. */
async function spent(work: () => Promise<unknown>): Promise<{ cpuMs: number; ms: number }> {
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, ms: performance.now() - started };
}

async function addAll(simplemem: SimpleMem): Promise<void> {
  const each = Math.ceil(turns / users);
  for (let user = 0; user < users; user += 1) {
    const memory = simplemem.scope({ userId: `u${user}` });
    for (let first = 0; first < each; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, each - first) }, (_, index) => first + index);
      await memory.add(
        numbers.map((number) => ({
          id: `t${number}`,
          speaker: number % 3 === 1 ? "Marek Dahl" : "Ilse Corrin",
          content: contentOf(number),
          timestamp: new Date(FIRST_TURN + number * TURN_MS).toISOString(),
        })),
      );
    }
  }
}

async function searchAll(simplemem: SimpleMem): Promise<void> {
  for (let asked = 0; asked < searches; asked += 1) {
    const question = `What did Ilse repair in ${PLACES[asked % PLACES.length]}?`;
    await simplemem.scope({ userId: `u${asked % users}` }).search(question, { planning: "never" });
  }
}

const folder = await mkdtemp(join(tmpdir(), "bench-capacity-"));
const simplemem = await SimpleMem.open({ uri: folder, window: { background: false } });
try {
  const added = await spent(() => addAll(simplemem));
  const worked = await spent(() => simplemem.work({ once: true }));
  await simplemem.maintain();
  // What it removes is dropped with the versions that the next run may let go.
  await simplemem.maintain();
  await searchAll(simplemem);
  const searched = await spent(() => searchAll(simplemem));
  const { bytes, turns: stored, entries, windows } = await simplemem.stats();
  const facts = Object.values(entries).reduce((sum, count) => sum + count, 0);
  const per = (value: number, count: number): number => Math.round((value / count) * 100) / 100;
  console.log(
    JSON.stringify({
      machine: machine(),
      users,
      turns: stored,
      entries: facts,
      windows: windows.stored,
      bytes,
      bytesPerTurn: per(bytes, stored),
      addCpuMsPerTurn: per(added.cpuMs, stored),
      workCpuMsPerTurn: per(worked.cpuMs, stored),
      windowsPerSecond: per(windows.stored * 1000, worked.ms),
      searchCpuMs: per(searched.cpuMs, searches),
      searchMs: per(searched.ms, searches),
    }),
  );
} finally {
  await simplemem.close();
  await rm(folder, { recursive: true, force: true });
}
