import type { Terminal } from "../terminal.js";

const BAR = 20;
/** More often nobody can read it. */
const EVERY_MS = 100;
const CLEAR_LINE = "\r\u001b[2K";

function timeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s left`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min left`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function rate(perSecond: number): string {
  return perSecond >= 10 ? count(Math.round(perSecond)) : perSecond.toFixed(1);
}

/** How far some work is. */
export interface Step {
  /** What is done, such as "adding". */
  readonly what: string;
  /** What is counted, such as "turns". */
  readonly unit: string;
  readonly done: number;
  /** null: nobody knows. */
  readonly total: number | null;
}

/** "adding     █████░░░░░░░░░░░░░░░ 1,200 of 5,000 turns, 240/s, 16 s left" */
export function progressLine({ what, unit, done, total }: Step, elapsedMs: number): string {
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const speed = perSecond > 0 ? `, ${rate(perSecond)}/s` : "";
  if (total === null) return `${what} ${count(done)} ${unit}${speed}`;
  const full = Math.round((done / Math.max(1, total)) * BAR);
  const left = perSecond > 0 && done < total ? `, ${timeLeft((total - done) / perSecond)}` : "";
  return `${what} ${"█".repeat(full)}${"░".repeat(BAR - full)} ${count(done)} of ${count(total)} ${unit}${speed}${left}`;
}

/** One line that tells how far long work is, with rate and time left. Where errors go to no terminal it is silent. */
export class Progress {
  readonly #terminal: Pick<Terminal, "errors" | "clock">;
  #what = "";
  #startedAt = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(terminal: Pick<Terminal, "errors" | "clock">) {
    this.#terminal = terminal;
  }

  /** Tells a step; another `what` begins anew. */
  tell(step: Step): void {
    const { errors, clock } = this.#terminal;
    if (!errors.isTerminal) return;
    const now = clock();
    if (step.what !== this.#what) {
      this.#what = step.what;
      this.#startedAt = now;
      this.#drawnAt = Number.NEGATIVE_INFINITY;
    }
    if (now - this.#drawnAt < EVERY_MS && step.done !== step.total) return;
    this.#drawnAt = now;
    this.#isDrawn = true;
    void errors.write(`${CLEAR_LINE}${progressLine(step, now - this.#startedAt)}`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#isDrawn) void this.#terminal.errors.write(CLEAR_LINE);
    this.#isDrawn = false;
    this.#what = "";
  }
}
