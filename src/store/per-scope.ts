import { scopeKey } from "./keys.js";
import type { ExactScope } from "./store.js";

/** Scopes of which something is kept; the least recently used goes first. */
const KEPT_SCOPES = 200;

/** What was worked out for a scope lately, so that a question need not read it again. */
export class PerScope<T> {
  readonly #byScope = new Map<string, T>();

  get(scope: ExactScope): T | undefined {
    const key = scopeKey(scope);
    const known = this.#byScope.get(key);
    if (known !== undefined) this.#keep(key, known);
    return known;
  }

  set(scope: ExactScope, value: T): void {
    this.#keep(scopeKey(scope), value);
    const [oldest] = this.#byScope.keys();
    if (this.#byScope.size > KEPT_SCOPES && oldest !== undefined) this.#byScope.delete(oldest);
  }

  /** Puts it last, since a map gives its keys in the order in which they came. */
  #keep(key: string, value: T): void {
    this.#byScope.delete(key);
    this.#byScope.set(key, value);
  }
}
