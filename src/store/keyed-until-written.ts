import { LeastRecent } from "./least-recent.js";
import type { Changing } from "./until-written.js";

/** Rows of a table by their keys, kept until anyone writes to it, in this process or another. */
export class KeyedUntilWritten<T> {
  readonly #known: LeastRecent<string, T>;
  #state = "";

  /** @param size rows that are kept; the least recently used goes first */
  constructor(
    private readonly table: Changing,
    size: number,
  ) {
    this.#known = new LeastRecent(size);
  }

  /** The rows that there are of these keys. `read` is asked for those that are not known. */
  async of(
    keys: readonly string[],
    read: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<readonly T[]> {
    const state = await this.table.state();
    if (state !== this.#state) this.clear();
    this.#state = state;
    const known = new Map(keys.flatMap((key) => this.#entry(key)));
    const missing = keys.filter((key) => !known.has(key));
    const found = missing.length === 0 ? new Map<string, T>() : await read(missing);
    // Who wrote while this read: what was read may be older than that.
    if (this.#state === state) for (const [key, row] of found) this.#known.set(key, row);
    return keys.flatMap((key) => known.get(key) ?? found.get(key) ?? []);
  }

  clear(): void {
    this.#known.clear();
    this.#state = "";
  }

  #entry(key: string): [string, T][] {
    const row = this.#known.get(key);
    return row === undefined ? [] : [[key, row]];
  }
}
