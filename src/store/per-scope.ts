import { scopeKey } from "./keys.js";
import { LeastRecent } from "./least-recent.js";
import type { ExactScope } from "./store.js";

/** Scopes of which something is kept. */
const KEPT_SCOPES = 200;

/** What was worked out for a scope lately, so that a question need not read it again. */
export class PerScope<T> {
  readonly #byScope = new LeastRecent<string, T>(KEPT_SCOPES);

  get(scope: ExactScope): T | undefined {
    return this.#byScope.get(scopeKey(scope));
  }

  set(scope: ExactScope, value: T): void {
    this.#byScope.set(scopeKey(scope), value);
  }
}
