import type { ExactScope, MemoryStore } from "../store/index.js";
import { scopeKey } from "./scope-locks.js";

/** Names that are offered to the planner. */
const KNOWN_PERSONS = 200;
/** Scopes whose names are kept; the least recently used goes first. */
const KEPT_SCOPES = 200;

/** The persons that a scope's entries name, read again only when the scope holds another number of entries. */
export class KnownPersons {
  readonly #byScope = new Map<string, { size: number; persons: readonly string[] }>();

  constructor(private readonly store: MemoryStore) {}

  async of(scope: ExactScope): Promise<readonly string[]> {
    const key = scopeKey(scope);
    const size = await this.store.entries.size(scope);
    const known = this.#byScope.get(key);
    this.#byScope.delete(key);
    const kept =
      known?.size === size ? known : { size, persons: await this.store.entries.persons(scope, KNOWN_PERSONS) };
    this.#byScope.set(key, kept);
    const [oldest] = this.#byScope.keys();
    if (this.#byScope.size > KEPT_SCOPES && oldest !== undefined) this.#byScope.delete(oldest);
    return kept.persons;
  }
}
