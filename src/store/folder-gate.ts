import { createHash, randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, readlinkSync, rmSync, statSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const FOLDER = ".gate";
const ALONE = ".alone";
const POLL_MS = 3;
const BEAT_MS = 5_000;
/** A file that was not touched for this long was left by a process that died on another machine. */
const STALE_MS = 30_000;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Process numbers mean something only among processes that see each other: containers may share a host name. */
function machineName(): string {
  let space = "";
  try {
    space = readlinkSync("/proc/self/ns/pid");
  } catch {
    // No such file system: the host name alone tells machines apart.
  }
  return createHash("sha256").update(`${hostname()}|${space}`).digest("hex").slice(0, 12);
}

/** Undefined when the file is gone. */
function ageOf(path: string): number | undefined {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return touched === undefined ? undefined : Date.now() - touched;
}

function isMaintainer(name: string): boolean {
  return name.endsWith(ALONE);
}

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/**
 * Among the processes that share a folder: lets many write a table together, or one maintain it alone. LanceDB finds
 * conflicts by the versions since a write began, and a write under way has files that no version names yet; so who drops
 * versions or files must know that nobody writes. A file stands for each writer and for the maintainer. Who wants to write
 * shows the file first and looks for a maintainer then, who does the reverse: one of them always sees the other.
 */
export class FolderGate {
  readonly #folder: string;
  readonly #table: string;
  readonly #machine = machineName();
  readonly #own: string;
  #writers = 0;

  constructor(root: string, table: string) {
    this.#folder = join(root, FOLDER);
    this.#table = table;
    this.#own = `${table}.${this.#machine}.${process.pid}.${randomUUID().slice(0, 8)}`;
  }

  async together<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#writers === 0) this.#show(this.#own);
      if (!this.#isMaintained()) break;
      if (this.#writers === 0) this.#hide(this.#own);
      await wait();
    }
    this.#writers += 1;
    const beat = this.#beat(this.#own);
    try {
      return await run();
    } finally {
      clearInterval(beat);
      this.#writers -= 1;
      if (this.#writers === 0) this.#hide(this.#own);
    }
  }

  async alone<T>(run: () => Promise<T>): Promise<T> {
    const name = `${this.#own}${ALONE}`;
    const beat = this.#beat(name);
    try {
      await this.#takeTurn(name);
      while (this.#others(name).some((other) => !isMaintainer(other))) await wait();
      return await run();
    } finally {
      clearInterval(beat);
      this.#hide(name);
    }
  }

  /** Of several that want to be alone at once, the one whose name comes first stays; the others step back. */
  async #takeTurn(name: string): Promise<void> {
    this.#show(name);
    for (;;) {
      const rivals = this.#others(name).filter(isMaintainer);
      if (rivals.length === 0) return;
      const stepsBack = rivals.some((rival) => rival < name);
      if (stepsBack) this.#hide(name);
      await wait();
      if (stepsBack) this.#show(name);
    }
  }

  #isMaintained(): boolean {
    return this.#others("").some(isMaintainer);
  }

  /** Files of this table's writers and maintainers that live. Those of the dead are removed. */
  #others(own: string): readonly string[] {
    let names: string[] = [];
    try {
      names = readdirSync(this.#folder);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
    return names.filter((name) => name !== own && name.startsWith(`${this.#table}.`) && this.#lives(name));
  }

  #lives(name: string): boolean {
    const age = ageOf(join(this.#folder, name));
    if (age === undefined) return false;
    const [, machine, pid] = name.split(".");
    const isDead = machine === this.#machine && !isRunning(Number(pid));
    if (!isDead && age < STALE_MS) return true;
    this.#hide(name);
    return false;
  }

  #show(name: string): void {
    mkdirSync(this.#folder, { recursive: true });
    closeSync(openSync(join(this.#folder, name), "w"));
  }

  #hide(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  #beat(name: string): NodeJS.Timeout {
    const timer = setInterval(() => {
      const now = new Date();
      try {
        utimesSync(join(this.#folder, name), now, now);
      } catch {
        // Without the file there is nothing to keep alive: it was hidden, or the whole folder was removed. Where nobody may write
        // any more, the write that the file stands for says so; an error of a timer would end the process.
      }
    }, BEAT_MS);
    timer.unref();
    return timer;
  }
}
