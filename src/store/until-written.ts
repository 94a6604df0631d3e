/** A table, as far as one must know whether it changed. */
interface Changing {
  /** Another text after any write, of any process. */
  state(): Promise<string>;
}

/** What was read of a table, kept until anyone writes to it, in this process or another. Errors are not kept. */
export class UntilWritten<T> {
  readonly #known = new Map<string, Promise<T>>();
  #state = "";

  /** @param size answers that are kept; the least recently used goes first */
  constructor(
    private readonly table: Changing,
    private readonly size: number,
  ) {}

  /** @param key names the question, for instance by its predicate */
  async of(key: string, read: () => Promise<T>): Promise<T> {
    const state = await this.table.state();
    if (state !== this.#state) this.clear();
    this.#state = state;
    const answer = this.#known.get(key) ?? this.#asked(key, read);
    // Put last, since a map gives its keys in the order in which they came.
    this.#known.delete(key);
    this.#known.set(key, answer);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.size && oldest !== undefined) this.#known.delete(oldest);
    return answer;
  }

  clear(): void {
    this.#known.clear();
  }

  #asked(key: string, read: () => Promise<T>): Promise<T> {
    const answer = read();
    answer.catch(() => this.#known.delete(key));
    return answer;
  }
}
