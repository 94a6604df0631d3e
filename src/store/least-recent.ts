/** A map of bounded size: of more, what was asked for longest ago goes. */
export class LeastRecent<K, V> {
  readonly #values = new Map<K, V>();

  constructor(private readonly size: number) {}

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.#putLast(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#putLast(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.size && oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }

  /** A map gives its keys in the order in which they came. */
  #putLast(key: K, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }
}
