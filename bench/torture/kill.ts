import { join } from "node:path";
import { Durations, type Killing } from "./killed.js";
import {
  type Ground,
  killGoingOn,
  killImport,
  killMigration,
  killRebuild,
  killReembed,
  type Models,
  makeModels,
} from "./killings.js";
import { type Broken, type Outcome, Outcomes } from "./outcome.js";
import type { Programs } from "./programs.js";
import type { Random } from "./random.js";
import { fill, withFolder } from "./store.js";
import { Tally } from "./tally.js";

/** What a process is killed in. */
export const KILLED = [
  "add",
  "flush",
  "update",
  "facts",
  "items",
  "forget",
  "maintain",
  "purge",
  "delete user",
  "migration",
  "reembed",
  "rebuild",
  "import",
] as const;

/** Kills after which a folder is left for a fresh one, so that it does not grow without end. */
const KILLS_PER_FOLDER = 39;
/** Sequences of kills that go on side by side: most of the time goes into starting processes. */
const LANES = 3;
const BASE_TURNS = 40;

/** Made when they are first needed. */
type Copied = () => Promise<Models>;
type Told = (what: string, broken: Broken) => void;

export interface KillOptions {
  readonly kills: number;
  /** After so many, no other process is started. */
  readonly minutes: number;
  readonly onKill: (done: number, faults: readonly string[]) => void;
}

async function killOne(killing: Killing, models: Copied, ground: Ground, what: string, name: string): Promise<Broken> {
  if (what === "migration") return killMigration(killing, name);
  if (what === "reembed") return killReembed(killing, await models(), name);
  if (what === "rebuild") return killRebuild(killing, await models(), name);
  if (what === "import") return killImport(killing, await models(), name);
  return killGoingOn(killing, ground, what, name);
}

/** What is done next, in turns over all lanes: each is tried as often as the others. */
class Turns {
  #next = 0;

  constructor(
    private readonly kills: number,
    private readonly until: number,
  ) {}

  take(): { readonly number: number; readonly what: string } | null {
    if (this.#next >= this.kills || Date.now() > this.until) return null;
    const number = this.#next;
    this.#next += 1;
    return { number, what: KILLED[number % KILLED.length] ?? "add" };
  }
}

/** One kill after the other, in a folder of its own. */
async function lane(killing: Killing, models: Copied, root: string, turns: Turns, tell: Told): Promise<void> {
  let ground: Ground = { folder: "", tally: new Tally() };
  let done = 0;
  for (let turn = turns.take(); turn !== null; turn = turns.take()) {
    if (done % KILLS_PER_FOLDER === 0) {
      ground = { folder: join(root, `ground-${done}`), tally: new Tally() };
      await fill(ground.folder, ground.tally, BASE_TURNS);
    }
    done += 1;
    tell(turn.what, await killOne(killing, models, ground, turn.what, `k${turn.number}`));
  }
}

/** Kills processes at random moments of everything that they write, so many or for so long. */
export async function kill(programs: Programs, random: Random, options: KillOptions): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("kill");
  const killing: Killing = { programs, random, durations: new Durations() };
  let done = 0;
  const tell: Told = (what, { faults, warnings }) => {
    done += 1;
    outcomes.tried(what, faults, warnings);
    options.onKill(done, faults);
  };
  await withFolder(async (root) => {
    let made: Promise<Models> | null = null;
    const models: Copied = () => {
      made ??= makeModels(root);
      return made;
    };
    const turns = new Turns(options.kills, Date.now() + options.minutes * 60_000);
    const lanes = Array.from({ length: LANES }, (_, index) =>
      lane(killing, models, join(root, `lane-${index}`), turns, tell),
    );
    await Promise.all(lanes);
  });
  return outcomes.all();
}
