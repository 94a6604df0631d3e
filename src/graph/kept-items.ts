import { type ExactScope, type KeptItems, type MemoryStore, scopeKey } from "../store/index.js";

/** How long what a model said may wait, at most, for the other extractions that are under way. */
const GATHER_MS = 250;

interface Waiting {
  readonly kept: KeptItems;
  readonly resolve: (wasHeld: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what parallel extractions give to the ledger: those that end within a moment share one write, since a commit costs
 * the same for one window and for twenty.
 */
export class KeptItemsWriter {
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: MemoryStore,
    private readonly scope: ExactScope,
    private readonly owner: string,
  ) {}

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Runs an extraction, which may call `keep`: who else is under way is worth waiting for. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#consider();
    }
  }

  /** Resolves when the items are in the ledger: true, or false when the window was not this owner's any more. */
  keep(kept: KeptItems): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kept, resolve, reject });
      this.#consider();
    });
  }

  #consider(): void {
    if (this.#waiting.length === 0 || this.#isWriting) return;
    if (this.#waiting.length >= this.#underWay) void this.#writeAll();
    else this.#timer ??= setTimeout(() => void this.#writeAll(), GATHER_MS);
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    this.#isWriting = true;
    await this.#writeOnce(this.#waiting.splice(0));
    this.#isWriting = false;
    this.#consider();
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
