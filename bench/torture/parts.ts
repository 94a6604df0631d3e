import { clockJumps } from "./clock.js";
import { diskFull, readOnlyFlips } from "./disk.js";
import { kill } from "./kill.js";
import { badModels } from "./model.js";
import type { Outcome } from "./outcome.js";
import type { Programs } from "./programs.js";
import type { Random } from "./random.js";
import { damage } from "./truncate.js";
import { writers } from "./writers.js";

/** How much of each part is done. */
export interface Size {
  readonly kills: number;
  /** Minutes after which no other kill is begun. */
  readonly within: number;
  readonly files: number;
  readonly jumps: number;
  /** Of the full disk, the read-only one and the models. */
  readonly rounds: number;
  /** Of the writers. */
  readonly minutes: number;
  /** So many of the steps on a bad disk, and of the bad models. Default: all. */
  readonly kinds?: number;
}

/** Told of each kill and each damaged file. */
export type Told = (part: string, done: number, of: number, faults: readonly string[]) => void;

type Part = (programs: Programs, random: Random, size: Size, tell: Told) => Promise<readonly Outcome[]>;

export const PARTS: { readonly [part: string]: Part } = {
  kill: (programs, random, { kills, within }, tell) =>
    kill(programs, random, { kills, minutes: within, onKill: (done, faults) => tell("kill", done, kills, faults) }),
  disk: (_programs, random, { rounds, kinds }) => diskFull(random, rounds, kinds),
  readonly: (_programs, _random, { rounds, kinds }) => readOnlyFlips(rounds, kinds),
  clock: (_programs, random, { jumps }) => clockJumps(random, jumps),
  files: (programs, random, { files }, tell) =>
    damage(programs, random, files, (done, faults) => tell("file", done, files, faults)),
  model: (_programs, _random, { rounds, kinds }) => badModels(rounds, kinds),
  writers: (programs, _random, { minutes }) => writers(programs, minutes),
};
