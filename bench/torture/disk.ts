import { randomBytes } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SimpleMem } from "../../src/index.js";
import { mountFault, SmallDisk } from "./mount.js";
import { brokenIn, type Outcome, Outcomes } from "./outcome.js";
import type { Random } from "./random.js";
import { fill, open, sentence } from "./store.js";
import { Tally, VICTIM } from "./tally.js";
import { FACTS, unproven } from "./witness.js";

/** Room for the store as it begins, and little more. */
const SIZE = "48m";
const BASE_TURNS = 40;

const UNTYPED = "untyped";

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isTyped = error.message.startsWith("simplemem-langchain:");
  return isTyped ? error.name : `${UNTYPED} ${error.name}: ${error.message.split("\n")[0]?.slice(0, 120)}`;
}

/** Makes the disk well again. */
type Mend = () => Promise<void>;
/** Brings the disk into a state. */
type Spoil = (folder: string) => Promise<Mend>;
type Step = (simplemem: SimpleMem, name: string, tally: Tally) => Promise<unknown>;

async function add(simplemem: SimpleMem, name: string, tally: Tally): Promise<void> {
  for (let index = 0; index < 5; index += 1) {
    const id = `${name}-${index}`;
    await simplemem.scope(VICTIM).add(sentence(id));
    tally.take(["accepted", id]);
  }
}

/** What is tried while nothing can be written. */
const STEPS: { readonly [what: string]: Step } = {
  add,
  flush: async (simplemem) => {
    const { failures } = await simplemem.scope(VICTIM).flush();
    const [first] = failures;
    if (first !== undefined) throw new Error(`simplemem-langchain: reported: ${first.stage}`);
  },
  update: async (simplemem) => {
    const [entry] = (await simplemem.scope(VICTIM).list({ limit: 1 })).items;
    await simplemem.scope(VICTIM).update(entry?.entryId ?? "", { topic: "full" });
  },
  facts: async (simplemem, name, tally) => {
    tally.take(["setting", "fact room", name]);
    await simplemem.scope(FACTS).facts.remember("room", name);
    tally.take(["set", "fact room", name]);
  },
  maintain: async (simplemem) => {
    const { failures } = await simplemem.maintain();
    if (failures.length > 0) throw new Error(`simplemem-langchain: reported: ${failures[0]?.step}`);
  },
  forget: async (simplemem, _name, tally) => {
    const turns = await simplemem.scope(VICTIM).turns({ limit: 1 });
    const id = turns[0]?.dialogueId ?? "";
    tally.take(["forgetting", id]);
    await simplemem.scope(VICTIM).forget({ ids: [id], purge: true });
    tally.take(["forgotten", id]);
    tally.take(["purged", id]);
  },
};

/** From nothing to half a megabyte, as often less than a few kilobytes as more: each write of a step may be the first without room. */
function someKb(random: Random): number {
  return Math.floor(2 ** (random() * 9)) - 1;
}

/** Takes all room but some kilobytes. */
async function crowd(folder: string, leftKb: number): Promise<Mend> {
  const path = join(folder, "crowd.bin");
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(path, randomBytes(Math.max(0, bavail * bsize - leftKb * 1024)));
  } catch {
    // Somebody else took of the room meanwhile: it is full all the same.
  }
  return async () => rmSync(path);
}

/** Does a step while a disk is in a state, then again when it is well, and looks whether anything is lost. */
async function tormented(
  outcomes: Outcomes,
  [what, step]: readonly [string, Step],
  round: number,
  spoil: Spoil,
): Promise<void> {
  const disk = SmallDisk.mount(SIZE);
  const tally = new Tally();
  const uri = join(disk.folder, "store");
  try {
    await fill(uri, tally, BASE_TURNS);
    const simplemem = await open(uri);
    await add(simplemem, `before-${round}`, tally);
    const mend = await spoil(disk.folder);
    const seen: string[] = [];
    await step(simplemem, `during-${round}`, tally).then(
      () => seen.push("went through"),
      (error: unknown) => seen.push(nameOf(error)),
    );
    await simplemem.scope(VICTIM).search("locker code of room base-3", { planning: "never" });
    await mend();
    await add(simplemem, `after-${round}`, tally);
    const { failures } = await simplemem.scope(VICTIM).flush({ retryFailed: true });
    const now = await brokenIn(simplemem, tally, uri);
    await simplemem.close();
    const again = await open(uri);
    const later = await brokenIn(again, tally, uri);
    const missing = await unproven(again, tally);
    await again.close();
    const untyped = seen.filter((name) => name.startsWith(UNTYPED));
    const left = [...untyped, ...missing, ...now.faults, ...later.faults, ...failures.map(({ error }) => error)];
    outcomes.tried(what, left, [...seen, ...later.warnings]);
  } catch (error) {
    outcomes.tried(what, [`did not recover: ${nameOf(error)}`]);
  } finally {
    disk.remove();
  }
}

async function all(part: string, spoil: Spoil, rounds: number, kinds?: number): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes(part);
  const fault = mountFault();
  if (fault !== null) return [{ part, what: "not run", tried: 0, faults: [], seen: { [fault]: 1 } }];
  for (let round = 0; round < rounds; round += 1) {
    for (const step of Object.entries(STEPS).slice(0, kinds)) {
      await tormented(outcomes, step, round, spoil);
    }
  }
  return outcomes.all();
}

/** Fills the disk but for some kilobytes, at which each step ends somewhere else. */
export function diskFull(random: Random, rounds: number, kinds?: number): Promise<readonly Outcome[]> {
  return all("disk full", (folder) => crowd(folder, someKb(random)), rounds, kinds);
}

/** Mounts the file system read-only, and writable again. */
export function readOnlyFlips(rounds: number, kinds?: number): Promise<readonly Outcome[]> {
  const remounted: Spoil = async (folder) => {
    const disk = SmallDisk.at(folder);
    await disk.remount("ro");
    return () => disk.remount("rw");
  };
  return all("read-only flips", remounted, rounds, kinds);
}
