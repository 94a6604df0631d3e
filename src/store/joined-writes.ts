/** Rows of several callers that go in one write. */
interface Batch<T> {
  readonly parts: (readonly T[])[];
  readonly written: Promise<void>;
  rows: number;
}

/**
 * Joins the writes of many callers: while one is under way, those that come are gathered and go together in the next. Each
 * commit makes files and is checked against all that are under way, so that fifty callers at once would cost fifty
 * commits and far more attempts; joined they cost two.
 */
export class JoinedWrites<T> {
  #next: Batch<T> | null = null;
  #last: Promise<void> = Promise.resolve();

  /** @param maxRows of one joint write; a caller's rows are never parted by the joining */
  constructor(
    private readonly write: (rows: readonly T[]) => Promise<void>,
    private readonly maxRows: number,
  ) {}

  /** Resolves when these rows are written. When a joint write fails, each caller's rows are tried alone. */
  async add(rows: readonly T[]): Promise<void> {
    if (rows.length === 0) return this.write(rows);
    const batch = this.#batchFor(rows.length);
    batch.parts.push(rows);
    batch.rows += rows.length;
    try {
      await batch.written;
    } catch (error) {
      if (batch.parts.length === 1) throw error;
      await this.write(rows);
    }
  }

  #batchFor(rows: number): Batch<T> {
    if (this.#next !== null && this.#next.rows + rows <= this.maxRows) return this.#next;
    const parts: (readonly T[])[] = [];
    const written = this.#last.then(() => {
      if (this.#next === batch) this.#next = null;
      return this.write(parts.flat());
    });
    const batch: Batch<T> = { parts, written, rows: 0 };
    this.#last = written.catch(() => {});
    this.#next = batch;
    return batch;
  }
}
