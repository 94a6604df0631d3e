import { LeastRecent } from "./least-recent.js";

/** A table, as far as one must know whether it changed. */
export interface Changing {
  /** Another text after any write, of any process. */
  state(): Promise<string>;
}

/** What was read of a table, kept until anyone writes to it, in this process or another. Errors are not kept. */
export class UntilWritten<T> {
  readonly #known: LeastRecent<string, Promise<T>>;
  #state = "";

  /** @param size answers that are kept; the least recently used goes first */
  constructor(
    private readonly table: Changing,
    size: number,
  ) {
    this.#known = new LeastRecent(size);
  }

  /** @param key names the question, for instance by its predicate */
  async of(key: string, read: () => Promise<T>): Promise<T> {
    const state = await this.table.state();
    if (state !== this.#state) this.clear();
    this.#state = state;
    return this.#known.get(key) ?? this.#asked(key, read);
  }

  clear(): void {
    this.#known.clear();
  }

  #asked(key: string, read: () => Promise<T>): Promise<T> {
    const answer = read();
    this.#known.set(key, answer);
    answer.catch(() => this.#known.delete(key));
    return answer;
  }
}
