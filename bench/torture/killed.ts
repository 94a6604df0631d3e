import { type Line, readLine } from "./lines.js";
import { linesOf, type Programs } from "./programs.js";
import { below, type Random } from "./random.js";

/** An operation that was never seen from its beginning to its end is taken to last so long. */
const FIRST_GUESS_MS = 200;
/** Kills come up to so much later than the operation usually ends. */
const BEYOND = 1.15;
/** Of operations that are done again and again, the one that is to be hit is one of the first so many. */
const REPETITIONS = 3;
/** How much a new duration counts beside those before it. */
const WEIGHT = 0.3;
/** A process that does not come to what it is to be killed in. */
const PATIENCE_MS = 120_000;

/** How long operations last, as seen from outside: the moments of the kills are spread over that. */
export class Durations {
  readonly #known = new Map<string, number>();

  of(operation: string): number {
    return this.#known.get(operation) ?? FIRST_GUESS_MS;
  }

  note(operation: string, ms: number): void {
    const before = this.#known.get(operation);
    this.#known.set(operation, before === undefined ? ms : before + (ms - before) * WEIGHT);
  }
}

/** Of which operation a process saw the beginning last, and whether it saw its end. */
interface Progress {
  began: number;
  isWithin: boolean;
  lastBegan: number;
  /** When it was told to die; 0: not yet. */
  killedAt: number;
}

/** Where a kill fell: before the operation first began, between two runs of it or after it, or within it, and in which third of it. */
function momentOf({ began, isWithin, lastBegan, killedAt }: Progress, usualMs: number): string {
  if (began === 0) return "died before it began";
  if (!isWithin) return "died after it ended";
  // That it began may be heard after it was killed.
  const share = Math.max(0, killedAt - lastBegan) / Math.max(1, usualMs);
  return `died within it, ${share < 1 / 3 ? "first" : share < 2 / 3 ? "second" : "last"} third`;
}

export interface Killed {
  /** What the process should not have said or done. */
  readonly faults: readonly string[];
  readonly moment: string;
}

export interface Killing {
  readonly programs: Programs;
  readonly random: Random;
  readonly durations: Durations;
}

/** Starts the work, and kills it at a random moment of the operation that is named, or shortly after it. */
export async function killed(
  { programs, random, durations }: Killing,
  [folder, operation, ...more]: readonly [folder: string, operation: string, ...more: string[]],
  onLine: (line: Line) => void,
): Promise<Killed> {
  const child = programs.start("victim", [folder, operation, ...more]);
  const progress: Progress = { began: 0, isWithin: false, lastBegan: 0, killedAt: 0 };
  // Drawn before anything is waited for, so that a seed gives the same numbers however fast the machine is.
  const [target, share] = [1 + below(random, REPETITIONS), random()];
  const usualMs = durations.of(operation);
  const kill = (): void => {
    if (progress.killedAt === 0) progress.killedAt = performance.now();
    child.kill("SIGKILL");
  };
  const patience = setTimeout(kill, PATIENCE_MS);
  const { errors, signal } = await linesOf(child, (text) => {
    const line = readLine(text);
    const [mark, of] = line;
    if (mark === "began" && of === operation) {
      Object.assign(progress, { began: progress.began + 1, isWithin: true, lastBegan: performance.now() });
      if (progress.began === target || isDoneOnce(operation)) setTimeout(kill, share * usualMs * BEYOND);
    }
    if (mark === "ended" && of === operation) {
      progress.isWithin = false;
      durations.note(operation, performance.now() - progress.lastBegan);
    }
    if (mark === "done") kill();
    onLine(line);
  });
  clearTimeout(patience);
  const isAsMeant = errors === "" && signal === "SIGKILL";
  return {
    faults: isAsMeant ? [] : [`${operation} ended by itself: ${errors.slice(0, 300)}`],
    moment: momentOf(progress, usualMs),
  };
}

const DONE_ONCE = new Set(["migration", "reembed", "rebuild", "import"]);

function isDoneOnce(operation: string): boolean {
  return DONE_ONCE.has(operation);
}
