import { type ExactScope, type MemoryStore, PerScope } from "../store/index.js";

/** Names that are offered to the planner. */
const KNOWN_PERSONS = 200;

/** The persons that a scope's entries name, read again only when the scope holds another number of entries. */
export class KnownPersons {
  readonly #byScope = new PerScope<{ size: number; persons: readonly string[] }>();

  constructor(private readonly store: MemoryStore) {}

  async of(scope: ExactScope): Promise<readonly string[]> {
    const size = await this.store.entries.size(scope);
    const known = this.#byScope.get(scope);
    const kept =
      known?.size === size ? known : { size, persons: await this.store.entries.persons(scope, KNOWN_PERSONS) };
    this.#byScope.set(scope, kept);
    return kept.persons;
  }
}
