import { type ExactScope, type KeptItems, type MemoryStore, scopeKey } from "../store/index.js";

interface Waiting {
  readonly kept: KeptItems;
  readonly resolve: (wasHeld: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what parallel extractions give to the ledger: those that end while a write is under way share the next one, since a
 * commit costs the same for one window and for twenty.
 */
class KeptItemsWriter {
  readonly #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(
    private readonly store: MemoryStore,
    private readonly scope: ExactScope,
    private readonly owner: string,
  ) {}

  get isIdle(): boolean {
    return !this.#isWriting;
  }

  /** Resolves when the items are in the ledger: true, or false when the window was not this owner's any more. */
  keep(kept: KeptItems): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kept, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Extractions by rules end one after the other in the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#writeOnce(this.#waiting.splice(0));
    this.#isWriting = false;
  }

  async #writeOnce(batch: readonly Waiting[]): Promise<void> {
    try {
      const held = await this.store.ledger.keepItems(
        this.scope,
        this.owner,
        batch.map(({ kept }) => kept),
      );
      for (const { kept, resolve } of batch) resolve(held.has(kept.windowId));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** One writer per scope that has extractions under way. */
export class KeptItemsWriters {
  readonly #byScope = new Map<string, KeptItemsWriter>();

  constructor(
    private readonly store: MemoryStore,
    private readonly owner: string,
  ) {}

  of(scope: ExactScope): KeptItemsWriter {
    for (const [key, writer] of this.#byScope) if (writer.isIdle) this.#byScope.delete(key);
    const key = scopeKey(scope);
    const writer = this.#byScope.get(key) ?? new KeptItemsWriter(this.store, scope, this.owner);
    this.#byScope.set(key, writer);
    return writer;
  }
}
