import { NotWritableError } from "../records/index.js";
import type { Database } from "./connection.js";
import type { FolderGate } from "./folder-gate.js";
import { Gate } from "./gate.js";
import { firstLineOf, type RetryOptions, retrying } from "./retry.js";
import { whyUnwritable } from "./unwritable.js";

/** Writes of this handle after which a table is worth folding: each makes a file, and each file slows every read. */
const WRITES_PER_FOLDING = 32;
/** Rows after which the full-text indexes are worth folding: what is not in them is cut into words by every search. */
const ROWS_PER_FOLDING = 250;

/** When a table is written to: many at once, but never beside maintenance, of this handle or of another process. */
export class Commits {
  readonly #gate = new Gate();
  #writes = 0;
  #rows = 0;

  /** Null where no folder is shared. */
  readonly #folderGate: FolderGate | null;
  readonly #oneAtATime: boolean;

  constructor(
    private readonly table: string,
    database: Pick<Database, "gateOf" | "oneAtATime">,
    private readonly retry: RetryOptions,
  ) {
    this.#folderGate = database.gateOf(table);
    this.#oneAtATime = database.oneAtATime;
  }

  /** True when this handle made so many small files that folding them pays. */
  isFragmented(isSearched: boolean): boolean {
    return this.#writes >= WRITES_PER_FOLDING || (isSearched && this.#rows >= ROWS_PER_FOLDING);
  }

  /** One write of so many rows. */
  write<T>(rows: number, run: () => Promise<T>): Promise<T> {
    this.#writes += 1;
    this.#rows += rows;
    return this.beside(run);
  }

  /** Beside writes, of this handle and of others; never beside maintenance. */
  beside<T>(run: () => Promise<T>): Promise<T> {
    const work = () => this.retried(run);
    if (this.#oneAtATime) return this.#gate.alone(() => this.#telling(work));
    const beside = () => (this.#folderGate === null ? work() : this.#folderGate.together(work));
    return this.#gate.together(() => this.#telling(beside));
  }

  /** Maintenance, during which nobody writes. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    const alone = () => (this.#folderGate === null ? run() : this.#folderGate.alone(run));
    return this.#gate.alone(() => this.#telling(alone));
  }

  /** Maintenance after which the table is in one piece. */
  fold<T>(run: () => Promise<T>): Promise<T> {
    return this.alone(() => {
      this.#writes = 0;
      this.#rows = 0;
      return run();
    });
  }

  retried<T>(run: () => Promise<T>): Promise<T> {
    return retrying(`writing ${this.table}`, run, this.retry);
  }

  /** A full disk, or one that became read-only, is the caller's to mend: he is told in the library's own words. */
  async #telling<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const line = firstLineOf(error);
      const reason = whyUnwritable(line);
      if (error instanceof NotWritableError || reason === null) throw error;
      throw new NotWritableError(
        `the table "${this.table}" cannot be written: ${line}. What was accepted before is safe; make room, or make the folder writable, and call it again.`,
        { cause: error, isFull: reason === "full" },
      );
    }
  }
}
