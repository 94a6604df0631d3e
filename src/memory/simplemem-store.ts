import { randomUUID } from "node:crypto";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { BaseStore, type Operation, type OperationResults, validateNamespace } from "@langchain/langgraph-checkpoint";
import { createOwner, MAINTENANCE_KEY, ScopeLocks } from "../graph/index.js";
import { LocalEmbeddings } from "../models/index.js";
import { ClosedError, InvalidInputError, type Logger, SILENT_LOGGER } from "../records/index.js";
import { type MemoryStore, openStore } from "../store/index.js";
import { BatchRunner } from "./items/batch.js";
import { Lifetime } from "./items/lifetime.js";
import { checkNamespace } from "./items/namespaces.js";
import { readOperation, type SimpleMemPutOperation } from "./items/operations.js";
import {
  type ItemIndexOptions,
  type ItemStoreOptions,
  itemStoreSchema,
  type SimpleMemStoreOptions,
  simpleMemStoreSchema,
} from "./items/options.js";
import { reindexItems } from "./items/reindex.js";
import { TextIndex } from "./items/text-index.js";
import { check } from "./options.js";

/** Batches with a write after which small files are folded in the background: every write makes files and versions. */
const WRITES_PER_FOLDING = 50;
/** Versions younger than this stay, for readers and writers of other processes. */
const KEEP_VERSIONS_MS = 60_000;

/** What a `put` may say beside the value. */
export type PutOptions = Pick<SimpleMemPutOperation, "ttl">;

/** What a store of items stands on. */
export interface ItemStoreParts {
  readonly store: MemoryStore;
  readonly embeddings: EmbeddingsInterface | undefined;
  readonly clock: () => number;
  readonly logger: Logger;
  /** Runs upkeep of the whole store, one process at a time. */
  readonly upkeep: (work: () => Promise<unknown>) => Promise<unknown>;
  /** Rewrites the files so that removed bytes are gone. */
  readonly scrub: () => Promise<unknown>;
  /** Called by `stop`. */
  readonly close: () => Promise<void>;
}

function indexOver(parts: ItemStoreParts, options: ItemIndexOptions): TextIndex {
  const embeddings = options.embeddings ?? parts.embeddings ?? new LocalEmbeddings();
  const told: unknown = Reflect.get(embeddings, "dimension");
  const dims = options.dims ?? (typeof told === "number" ? told : null);
  return new TextIndex(parts.store, { embeddings, dims, fields: options.fields ?? ["$"] });
}

/** The parts of a store that nobody else has open. */
async function ownParts(options: SimpleMemStoreOptions): Promise<ItemStoreParts> {
  const {
    uri,
    storageOptions,
    embeddings,
    readOnly = false,
    singleWriter = false,
    clock = Date.now,
    logger = SILENT_LOGGER,
  } = options;
  const store = await openStore({
    uri,
    readOnly,
    singleWriter,
    clock,
    logger,
    ...(storageOptions === undefined ? {} : { storageOptions: { ...storageOptions } }),
  });
  const locks = new ScopeLocks(store, createOwner(randomUUID()), clock);
  const upkeep = <T>(work: () => Promise<T>): Promise<T> => locks.with(MAINTENANCE_KEY, randomUUID(), work);
  return {
    store,
    embeddings,
    clock,
    logger,
    upkeep,
    scrub: () => upkeep(() => store.scrub()),
    close: () => store.close(),
  };
}

/**
 * LangGraph's `BaseStore` over one embedded folder: values under namespaces and keys that stay, that several processes
 * may share, and that can be searched by filter and by meaning. It behaves as `InMemoryStore`, except that values are kept
 * as JSON (a read gives a copy), operations of one batch see what those before them wrote, and a namespace
 * without items is not listed.
 *
 * A namespace is no scope: `users.delete` and `forget` of a memory leave items alone, `forget` of this class removes them,
 * and `reset` of an engine drops everything in its folder.
 * @example
 * const store = await SimpleMemStore.open({ uri: "./memory" });
 * const graph = builder.compile({ store });
 * await store.put(["users", "ilse"], "diet", { text: "Ilse eats no meat." });
 * await store.search(["users", "ilse"], { query: "what can we cook?" });
 */
export class SimpleMemStore extends BaseStore implements AsyncDisposable {
  readonly #parts: ItemStoreParts;
  readonly #index: TextIndex | null;
  readonly #lifetime: Lifetime;
  readonly #runner: BatchRunner;
  #upkeep: Promise<unknown> = Promise.resolve();
  #writes = 0;
  #stopped = false;

  private constructor(parts: ItemStoreParts, index: TextIndex | null, lifetime: Lifetime) {
    super();
    this.#parts = parts;
    this.#index = index;
    this.#lifetime = lifetime;
    this.#runner = new BatchRunner(parts.store.items, index, lifetime, parts.clock);
  }

  /**
   * Opens the folder, making it when it is new. It may be the folder of a `SimpleMem`.
   * @throws InvalidInputError for an unknown or wrong option
   * @throws DimensionMismatchError when another embedder made the vectors of its items
   * @throws StoreOpenError, StoreVersionError as `SimpleMem.open`
   */
  static async open(options: SimpleMemStoreOptions): Promise<SimpleMemStore> {
    check(simpleMemStoreSchema, options, "SimpleMemStore.open");
    const { index, ttl } = options;
    const parts = await ownParts(options);
    try {
      return await SimpleMemStore.over(parts, {
        ...(index === undefined ? {} : { index }),
        ...(ttl === undefined ? {} : { ttl }),
      });
    } catch (error) {
      await parts.close();
      throw error;
    }
  }

  /** Over a store that is open already; `SimpleMem.store` calls it. */
  static async over(parts: ItemStoreParts, options: ItemStoreOptions): Promise<SimpleMemStore> {
    check(itemStoreSchema, options, "the options of a store");
    const { index = {}, ttl = {} } = options;
    const texts = index === false ? null : indexOver(parts, index);
    await texts?.open();
    const refreshOnRead = parts.store.readOnly ? false : (ttl.refreshOnRead ?? true);
    return new SimpleMemStore(parts, texts, new Lifetime({ ...ttl, refreshOnRead }, parts.clock()));
  }

  /**
   * Does the operations in their order. All are checked and embedded before the first one writes.
   * @throws InvalidNamespaceError, InvalidInputError for an operation that is none; nothing was done
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    this.#ensureOpen();
    const steps = operations.map(readOperation);
    const results = await this.#runner.run(steps);
    if (steps.some((step) => step.kind === "put" || step.kind === "delete")) this.#noticeWrite();
    // The results stand in the order of the operations, whose kinds decide their types.
    return results as OperationResults<Op>;
  }

  /**
   * Stores or replaces one item. LangGraph's own signature, and how long the item lives.
   * @param index paths of the texts that are searched by meaning, or false for none; default: the store's `index.fields`
   * @param options `ttl`: minutes that it lives, null: for ever; default: the store's `ttl.defaultTtl`
   * @throws InvalidNamespaceError, InvalidInputError
   * @example await store.put(["notes", "ilse"], "code", { text: "The code is 4417." }, undefined, { ttl: 30 })
   */
  override async put(
    namespace: string[],
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
    options: PutOptions = {},
  ): Promise<void> {
    validateNamespace(namespace);
    const operation: SimpleMemPutOperation = { namespace, key, value };
    if (index !== undefined) operation.index = index;
    if (options.ttl !== undefined) operation.ttl = options.ttl;
    await this.batch([operation]);
  }

  /**
   * Makes items searchable by meaning that are not: those that were put while the store was open with `index: false`, or
   * with other `fields` that gave no text, and also those that were put with `index: false` themselves. Values, times and
   * lifetimes stay. It may run beside writers, and again after it broke off.
   * @param namespace only items under it; default: all
   * @returns how many items got vectors
   * @throws InvalidInputError when this store was opened with `index: false`
   */
  async reindex(namespace: readonly string[] = []): Promise<number> {
    this.#ensureOpen();
    if (this.#index === null) {
      throw new InvalidInputError("this store was opened with index: false; open it with an index to make one.");
    }
    const prefix = checkNamespace(namespace, { allowEmpty: true });
    return reindexItems(this.#parts.store.items, this.#index, prefix, this.#parts.clock);
  }

  /**
   * Removes every item of a namespace and of those below it. With `purge` no file of the folder holds their bytes when the
   * call resolves; without it they stay in old versions until these are dropped.
   * @returns how many items were removed
   * @throws InvalidNamespaceError for `[]`, which would mean everything
   */
  async forget(namespace: readonly string[], options: { readonly purge?: boolean } = {}): Promise<number> {
    this.#ensureOpen();
    const removed = await this.#parts.store.items.removeUnder(checkNamespace(namespace, { allowEmpty: false }));
    if (options.purge === true) await this.#parts.scrub();
    return removed;
  }

  /** Removes expired items from the disk; reads never see them anyway. @returns how many */
  async sweep(): Promise<number> {
    this.#ensureOpen();
    return this.#parts.store.items.sweep(this.#parts.clock());
  }

  /** Removes what has expired. No timer runs: a write sweeps when it is time. */
  override async start(): Promise<void> {
    this.#ensureOpen();
    if (!this.#parts.store.readOnly) await this.sweep();
  }

  /** Lets the folder go, unless an engine has it open. Further calls reject with ClosedError; stopping twice is fine. */
  override async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#upkeep;
    await this.#parts.close();
  }

  /** As `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #ensureOpen(): void {
    if (this.#stopped) throw new ClosedError("this store was stopped; open it again with SimpleMemStore.open.");
  }

  #noticeWrite(): void {
    this.#writes += 1;
    const { store, clock, logger, upkeep } = this.#parts;
    const sweeps = this.#lifetime.isSweepDue(clock());
    const folds = this.#writes % WRITES_PER_FOLDING === 0;
    if (!sweeps && !folds) return;
    const work = async (): Promise<void> => {
      if (sweeps) await store.items.sweep(clock());
      if (folds) await store.optimize({ keepMs: KEEP_VERSIONS_MS });
    };
    this.#upkeep = this.#upkeep
      .then(() => upkeep(work))
      .catch((error: unknown) => logger.error("upkeep of the items failed", { error: String(error) }));
  }
}
