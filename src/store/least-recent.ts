/**
 * A map of bounded size: of more, what was not asked for lately goes. It keeps two generations, and lets the older one go when the
 * younger is full: putting each key in order whenever it is asked for costs more than most of what is kept here.
 */
export class LeastRecent<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  readonly #half: number;

  /** @param size values that are kept at most; half as many are kept for sure */
  constructor(size: number) {
    this.#half = Math.ceil(size / 2);
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
