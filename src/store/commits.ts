import type { FolderGate } from "./folder-gate.js";
import { Gate } from "./gate.js";
import { type RetryOptions, retrying } from "./retry.js";

/** Writes of this handle after which a table is worth folding: each makes a file, and each file slows every read. */
const WRITES_PER_FOLDING = 32;
/** Rows after which the full-text indexes are worth folding: what is not in them is cut into words by every search. */
const ROWS_PER_FOLDING = 250;

/** When a table is written to: many at once, but never beside maintenance, of this handle or of another process. */
export class Commits {
  readonly #gate = new Gate();
  #writes = 0;
  #rows = 0;

  /** @param folderGate null where no folder is shared */
  constructor(
    private readonly table: string,
    private readonly folderGate: FolderGate | null,
    private readonly retry: RetryOptions,
  ) {}

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
    return this.#gate.together(() => (this.folderGate === null ? work() : this.folderGate.together(work)));
  }

  /** Maintenance, during which nobody writes. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#gate.alone(() => (this.folderGate === null ? run() : this.folderGate.alone(run)));
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
}
