import { randomUUID } from "node:crypto";
import { AccessLog, createOwner, type NamedEmbedder, ScopeLocks, SharedRuns } from "../graph/index.js";
import { createRedactor, estimateTokens, LocalEmbeddings } from "../models/index.js";
import {
  DEFAULT_SPEAKER_NAMES,
  type ForgetReceipt,
  InvalidInputError,
  type MaintainOptions,
  type MaintenanceReport,
  parseScope,
  type ReembedOptions,
  type ReembedReport,
  type ReportsOptions,
  type Scope,
  type Sharing,
  type Stats,
  type VerifyOptions,
  type VerifyReport,
  VIEWS,
  type WorkOptions,
  type WorkReport,
} from "../records/index.js";
import { createHybridRetriever } from "../retrievers/index.js";
import { openStore } from "../store/index.js";
import { ensureComparable } from "./comparable.js";
import { embedderName } from "./embedder-name.js";
import { Engine, type EngineParts } from "./engine.js";
import { checkReceipt, finishForgets, forgetScopes } from "./forget.js";
import type { ItemStoreOptions } from "./items/options.js";
import { checkMaintain, maintainAll, reportsOf } from "./maintenance.js";
import { reembed } from "./moves/reembed.js";
import { check, type ParsedOptions, parseOptions, type SimpleMemOptions, verifySchema } from "./options.js";
import { ScopedHandle } from "./scoped-handle.js";
import { SimpleMemStore } from "./simplemem-store.js";
import { chooseStages } from "./stages.js";
import { Verification } from "./verifying/verify.js";
import { parseWork } from "./working/options.js";
import { Worker } from "./working/worker.js";

/** How long `close` writes what reads found. */
const WRITING_FOUND_MS = 5_000;

/** What `scope` takes besides the scope itself. */
export interface ScopeOptions extends Scope {
  /** Labels what is written. Default "default". */
  readonly sessionId?: string;
  /**
   * With an `agentId`: for whom it writes. "private" (default): for this agent alone. "shared": for all agents of the user; the
   * metadata of what it adds names it as `writtenBy`. It reads both memories in both cases.
   */
  readonly sharing?: Sharing;
  /** Speaker of user messages that carry no name. */
  readonly userName?: string;
  /** Speaker of assistant messages that carry no name. */
  readonly assistantName?: string;
}

/** Options of `close`. */
export interface CloseOptions {
  /** Processes what this process added and is still pending. Default true. */
  readonly flush?: boolean;
  /** Milliseconds after which closing goes on without the rest; what is pending stays pending. */
  readonly timeoutMs?: number;
}

function nameEmbedder(options: ParsedOptions): NamedEmbedder {
  const embeddings = options.embeddings ?? new LocalEmbeddings();
  return {
    name: embedderName(embeddings),
    isLocal: "embedSync" in embeddings,
    embedDocuments: (texts) => embeddings.embedDocuments(texts),
    embedQuery: (text) => embeddings.embedQuery(text),
  };
}

async function engineOf(input: SimpleMemOptions): Promise<Engine> {
  const beside = (options: Partial<SimpleMemOptions>): Promise<Engine> =>
    engineOf({ ...input, ...options, uri: "memory://", readOnly: false });
  return new Engine({ ...(await assemble(parseOptions(input))), beside });
}

async function assemble(options: ParsedOptions): Promise<Omit<EngineParts, "beside">> {
  const { clock, logger, readOnly, singleWriter, limits } = options;
  const store = await openStore({
    uri: options.uri,
    readOnly,
    singleWriter,
    clock,
    logger,
    ...(options.storageOptions === undefined ? {} : { storageOptions: { ...options.storageOptions } }),
  });
  const owner = createOwner(randomUUID());
  const countTokens = options.countTokens ?? estimateTokens;
  const embedder = nameEmbedder(options);
  const indexing = new SharedRuns();
  const common = { store, embedder, limits, clock, timeZone: options.timeZone, logger, countTokens, indexing };
  const redact = options.redact === false ? (text: string) => text : (options.redact ?? createRedactor());
  const stages = chooseStages(options, { countTokens, redact });
  const locks = new ScopeLocks(store, owner, clock);
  const retriever = createHybridRetriever({
    store,
    embedQuery: embedder.embedQuery,
    ensureComparable: () => ensureComparable(store, embedder),
    countTokens,
    logger,
    clock,
    embedTimeoutMs: limits.embedTimeoutMs,
  });
  return {
    options,
    store,
    owner,
    locks,
    countTokens,
    redact,
    write: {
      ...common,
      ...stages.write,
      locks,
      review: options.review,
      expireAfterDays: options.expireAfterDays,
      ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    },
    read: { ...common, ...stages.read, retriever, defaultViews: VIEWS },
    maintain: { ...common, ...stages.maintain, ...options.maintenance, locks, accesses: new AccessLog() },
  };
}

/**
 * Long-term memory over one store. Open it once per process and hand out a scope per user.
 * @example
 * const simplemem = await SimpleMem.open({ uri: "./memory" });
 * const memory = simplemem.scope({ userId: "ilse" });
 * await memory.add({ speaker: "Ilse", content: "I moved to Porthaven yesterday." });
 * await memory.flush();
 * console.log((await memory.ask("Where does Ilse live?")).answer);
 */
export class SimpleMem implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #working = new Set<Promise<WorkReport>>();

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Opens a store, making it when the folder is new.
   * @throws InvalidInputError for an unknown or wrong option
   * @throws StoreOpenError when the path cannot be used or the native part is missing
   * @throws StoreVersionError when the store is newer than this library, or foreign
   * @example await using simplemem = await SimpleMem.open({ uri: "./memory", llm: new ChatOpenAI({ model: "gpt-4o-mini" }) });
   */
  static async open(options: SimpleMemOptions): Promise<SimpleMem> {
    const engine = await engineOf(options);
    if (!engine.store.readOnly) await finishForgets(engine);
    engine.schedule((signal) => maintainAll(engine, { signal }));
    return new SimpleMem(engine);
  }

  /** The compiled write graph: window → extract → consolidate → store. `flush` runs it. */
  get writeGraph(): Engine["writeGraph"] {
    return this.#engine.writeGraph;
  }

  /** The compiled read graph: plan → retrieve → reflect → answer. `search` and `ask` run it. */
  get readGraph(): Engine["readGraph"] {
    return this.#engine.readGraph;
  }

  /** The compiled maintain graph: expire → decay → join → cluster → compact. `maintain` runs it. */
  get maintainGraph(): Engine["maintainGraph"] {
    return this.#engine.maintainGraph;
  }

  /**
   * The handle of one user. It costs nothing to make, and there may be many for one user.
   * @throws ScopeError without a usable userId, or for a `sharing` without an agent; ClosedError
   * @example const memory = simplemem.scope({ userId: "ilse", sessionId: "monday", userName: "Ilse" });
   */
  scope(options: ScopeOptions): ScopedHandle {
    this.#engine.ensureOpen();
    const scope = parseScope(options);
    return new ScopedHandle(this.#engine, scope, {
      user: options.userName ?? DEFAULT_SPEAKER_NAMES.user,
      assistant: options.assistantName ?? DEFAULT_SPEAKER_NAMES.assistant,
    });
  }

  /**
   * LangGraph's `BaseStore` in the same folder, with the same embedder unless `index` names another. It ends with the engine.
   * @throws InvalidInputError for a wrong option, DimensionMismatchError when another embedder made the vectors of its items
   * @example const graph = builder.compile({ store: await simplemem.store() });
   */
  store(options: ItemStoreOptions = {}): Promise<SimpleMemStore> {
    const engine = this.#engine;
    engine.ensureOpen();
    const { embeddings, clock, logger } = engine.options;
    const parts = {
      store: engine.store,
      embeddings,
      clock,
      logger,
      upkeep: (work: () => Promise<unknown>) => engine.upkeep(work),
      scrub: () => engine.scrub(),
      close: async () => {},
    };
    return SimpleMemStore.over(parts, options);
  }

  /**
   * Counts over all users of the store, and what this process has spent; `stats` of a handle gives those of its scope.
   * @throws ClosedError
   * @example
   * const { pendingTurns, windows, latency, totals } = await simplemem.stats();
   */
  async stats(): Promise<Stats> {
    const engine = this.#engine;
    engine.ensureOpen();
    const [counts, bytes] = await Promise.all([engine.store.counts(), engine.store.bytes()]);
    return { ...counts, bytes, ...engine.spent(), ...engine.writer.quality };
  }

  /** The users of the store. */
  readonly users = {
    /** The users that have anything in the store, of one tenant when one is given. @throws ClosedError */
    list: async (options: { tenantId?: string } = {}): Promise<readonly Pick<Scope, "userId" | "tenantId">[]> => {
      this.#engine.ensureOpen();
      const users = await this.#engine.store.users(options.tenantId);
      return users.map(({ userId, tenantId }) => ({ userId, ...(tenantId === "" ? {} : { tenantId }) }));
    },
    /**
     * Agents that have a memory of their own of this user, by name; what all agents share bears none.
     * @throws ScopeError without a usable userId, ClosedError
     * @example for (const agentId of await simplemem.users.agents("ilse")) console.log(agentId);
     */
    agents: async (userId: string, options: { tenantId?: string } = {}): Promise<readonly string[]> => {
      this.#engine.ensureOpen();
      const user = parseScope({ userId, ...(options.tenantId === undefined ? {} : { tenantId: options.tenantId }) });
      const scopes = await this.#engine.store.scopesOf({ userId: user.userId, tenantId: user.tenantId ?? "" });
      return [...new Set(scopes.map(({ agentId }) => agentId))].filter((agentId) => agentId !== "").sort();
    },
    /**
     * Removes everything of one user, of all agents; with `purge` from every file. Items of a `SimpleMemStore` stay.
     * @throws ScopeError without a usable userId, NotWritableError, ClosedError
     * @example await simplemem.users.delete("ilse", { purge: true });
     */
    delete: async (userId: string, options: { purge?: boolean; tenantId?: string } = {}): Promise<ForgetReceipt> => {
      this.#engine.ensureOpen();
      const user = parseScope({ userId, ...(options.tenantId === undefined ? {} : { tenantId: options.tenantId }) });
      return this.#deleteUser(user, options.purge ?? false);
    },
  };

  /**
   * Whether this store issued a receipt of `forget` or `users.delete`, and nobody changed it since.
   * @throws ClosedError
   * @example
   * const receipt = await memory.forget({ all: true, purge: true });
   * console.log(await simplemem.checkReceipt(receipt)); // true
   */
  async checkReceipt(receipt: ForgetReceipt): Promise<boolean> {
    this.#engine.ensureOpen();
    return checkReceipt(this.#engine.store, receipt);
  }

  /**
   * Maintains every scope of the store, one after the other, then its tables; see `maintain` of a handle.
   * @returns one report over all, whose `scope` is null
   * @throws InvalidInputError for a wrong option, NotWritableError, ClosedError, the signal's reason when it aborts
   * @example
   * const { scopes, decay, alerts } = await simplemem.maintain();
   */
  async maintain(options: MaintainOptions = {}): Promise<MaintenanceReport> {
    this.#engine.ensureOpen();
    checkMaintain(options);
    this.#engine.store.ensureWritable();
    return maintainAll(this.#engine, options);
  }

  /**
   * Makes facts of what other processes added, of all users of the store, until the signal or `close` ends it. Any number of workers on
   * any number of machines may share a store: one at a time works for a user, takes some of the windows that wait, and lets the next
   * user have a turn. What fails is tried again later, and holds up nobody. Maintenance is not part of it.
   * @returns what it did; a signal that ends it is no error
   * @throws InvalidInputError for a wrong option, NotWritableError, ClosedError, DimensionMismatchError, what `onReport` throws
   * @example
   * const simplemem = await SimpleMem.open({ uri: "./memory", window: { background: false } });
   * const ending = new AbortController();
   * process.once("SIGTERM", () => ending.abort());
   * const { windows } = await simplemem.work({ signal: ending.signal, once: true });
   * console.log(windows.stored);
   */
  async work(options: WorkOptions = {}): Promise<WorkReport> {
    const engine = this.#engine;
    engine.ensureOpen();
    const parsed = parseWork(options, engine.options.window.idleMs);
    engine.store.ensureWritable();
    const working = new Worker(engine, parsed, Math.random).run();
    this.#working.add(working);
    try {
      return await working;
    } finally {
      this.#working.delete(working);
    }
  }

  /** What runs of `simplemem.maintain` and the scheduler did. */
  readonly maintenance = {
    /** The last runs over all scopes, newest first. @throws InvalidInputError for a wrong option, ClosedError */
    reports: (options: ReportsOptions = {}): Promise<readonly MaintenanceReport[]> =>
      reportsOf(this.#engine, null, options),
  };

  /**
   * Makes the vectors of all users' entries and turns anew with the embedder that the engine was opened with, for a store that
   * another one made. Everything goes on meanwhile: searches by words, and say so in `degraded`; turns are taken in, and wait to be
   * extracted. One commit changes over when all are there. After a break, calling it again goes on where it ended. Vectors of a
   * `SimpleMemStore` stay.
   * @throws InvalidInputError for a wrong option, NotWritableError, ClosedError, the signal's reason, what the embedder throws
   * @throws StoreConflictError when what is removed for good meanwhile makes it begin anew too often
   * @example
   * const simplemem = await SimpleMem.open({ uri: "./memory", embeddings: new OpenAIEmbeddings({ model: "text-embedding-3-small" }) });
   * await simplemem.reembed({ onProgress: ({ done, total }) => console.log(`${done} of ${total}`) });
   */
  async reembed(options: ReembedOptions = {}): Promise<ReembedReport> {
    this.#engine.ensureOpen();
    this.#engine.store.ensureWritable();
    return reembed(this.#engine, options);
  }

  /**
   * Checks every invariant of the store, of all users: that no turn is lost, every entry proved, nothing forgotten back, no scope in
   * another's. It writes nothing, goes on beside writers, and looks again at what seems wrong before it says so. Memory stays bounded.
   * @throws InvalidInputError for a wrong option, ClosedError, the signal's reason when it aborts
   * @example
   * const { ok, findings } = await simplemem.verify();
   * for (const { rule, severity, message } of findings) console.log(severity, rule, message);
   */
  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#engine.ensureOpen();
    check(verifySchema, options, "the options of verify");
    return new Verification(this.#engine, options).run();
  }

  /** Drops every table of the store. @throws InvalidInputError without `{ confirm: true }`, NotWritableError, ClosedError */
  async reset(options: { confirm: true }): Promise<void> {
    this.#engine.ensureOpen();
    if (options?.confirm !== true) {
      throw new InvalidInputError(
        "reset removes every user's memory; call reset({ confirm: true }) when that is meant.",
      );
    }
    this.#engine.store.ensureWritable();
    await this.#engine.writer.settle();
    await this.#engine.store.reset();
  }

  /**
   * Processes what this process added and is pending, then lets the store go. Further calls reject with ClosedError; closing
   * twice is fine. What is still pending stays in the store, and is taken up by the next `flush` of any process.
   * @example await simplemem.close({ timeoutMs: 5_000 });
   */
  async close(options: CloseOptions = {}): Promise<void> {
    if (this.#engine.isClosed) return;
    const { writer, store } = this.#engine;
    this.#engine.markClosed();
    const work = async (): Promise<void> => {
      await Promise.allSettled(this.#working);
      if (options.flush !== false && !store.readOnly)
        for (const scope of writer.scopes()) await writer.flush(scope, {});
      await writer.settle();
      if (options.flush !== false) await this.#writeFound();
    };
    await within(work(), options.timeoutMs);
    await store.close();
  }

  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** How often entries were found is a hint: it is left unwritten rather than holding anybody up. */
  async #writeFound(): Promise<void> {
    const { logger } = this.#engine.options;
    await this.#engine
      .writeFound(AbortSignal.timeout(WRITING_FOUND_MS))
      .catch((error: unknown) => logger.warn("counts of accesses were not written", { error: String(error) }));
  }

  async #deleteUser({ userId, tenantId }: Scope, purge: boolean): Promise<ForgetReceipt> {
    const { store } = this.#engine;
    store.ensureWritable();
    const scopes = await store.scopesOf({ userId, tenantId: tenantId ?? "" });
    const about = { userId, ...(tenantId === undefined ? {} : { tenantId }) };
    return forgetScopes(this.#engine, scopes, { purge }, about);
  }
}

/** Waits for the work, but no longer than `timeoutMs`. */
async function within(work: Promise<void>, timeoutMs: number | undefined): Promise<void> {
  if (timeoutMs === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
