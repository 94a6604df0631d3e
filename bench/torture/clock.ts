import type { SimpleMem } from "../../src/index.js";
import { brokenIn, type Outcome, Outcomes } from "./outcome.js";
import { below, oneOf, type Random } from "./random.js";
import { fill, open, sentence, withFolder } from "./store.js";
import { Tally, VICTIM } from "./tally.js";

const HOUR_MS = 3_600_000;
/** From a second to ten years, either way. */
const JUMPS = [1_000, HOUR_MS, 24 * HOUR_MS, 400 * 24 * HOUR_MS, 3_650 * 24 * HOUR_MS];
const CHECKED_EVERY = 20;

type Step = (simplemem: SimpleMem, name: string, tally: Tally) => Promise<unknown>;

const STEPS: readonly Step[] = [
  async (simplemem, name, tally) => {
    await simplemem.scope(VICTIM).add(sentence(name));
    tally.take(["accepted", name]);
  },
  (simplemem) => simplemem.scope(VICTIM).flush(),
  (simplemem) => simplemem.scope(VICTIM).search("locker code", { planning: "never" }),
  (simplemem, name) => simplemem.scope(VICTIM).facts.remember("room", name),
  (simplemem) => simplemem.maintain(),
  async (simplemem, name) => {
    const [entry] = (await simplemem.scope(VICTIM).list({ limit: 1 })).items;
    if (entry !== undefined) await simplemem.scope(VICTIM).update(entry.entryId, { topic: name });
  },
  async (simplemem, _name, tally) => {
    const turns = await simplemem.scope(VICTIM).turns({ limit: 1 });
    const id = turns[0]?.dialogueId;
    if (id === undefined) return;
    tally.take(["forgetting", id]);
    await simplemem.scope(VICTIM).forget({ ids: [id] });
    tally.take(["forgotten", id]);
  },
];

/** Two engines on one folder, whose clocks jump back and forth while they work. */
export function clockJumps(random: Random, jumps: number): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("clock jumps");
  return withFolder(async (folder) => {
    const tally = new Tally();
    await fill(folder, tally, 30);
    const now = Date.now();
    const clocks = [{ now }, { now }];
    const engines = await Promise.all(clocks.map((clock) => open(folder, { clock: () => clock.now })));
    for (let jump = 0; jump < jumps; jump += 1) {
      const clock = oneOf(random, clocks);
      const engine = oneOf(random, engines);
      if (clock === undefined || engine === undefined) continue;
      const by = (oneOf(random, JUMPS) ?? 0) * (below(random, 2) === 0 ? 1 : -1);
      // Ever further off would leave the calendar.
      clock.now = Math.abs(clock.now + by - now) > 12 * 365 * 24 * HOUR_MS ? now : clock.now + by;
      const step = oneOf(random, STEPS);
      const error = await step?.(engine, `jump-${jump}`, tally).then(
        () => null,
        (reason: unknown) => String(reason),
      );
      const faults = error === null || error === undefined ? [] : [error];
      const seen: string[] = [];
      if (jump % CHECKED_EVERY === CHECKED_EVERY - 1) {
        const found = await brokenIn(engine, tally, folder);
        faults.push(...found.faults);
        seen.push(...found.warnings);
      }
      outcomes.tried("any step, between two jumps", faults, seen);
    }
    for (const engine of engines) await engine.close();
    return outcomes.all();
  });
}
