import { randomUUID } from "node:crypto";
import type { MaintainServices, NamedEmbedder, ReadServices, WriteServices } from "../graph/index.js";
import {
  createMaintainGraph,
  createReadGraph,
  createStraightRead,
  createWriteGraph,
  cutKey,
  MAINTENANCE_KEY,
  type Owner,
  type ScopeLocks,
  writeAccesses,
} from "../graph/index.js";
import { addUsage, ClosedError, emptyUsage, type Usage } from "../records/index.js";
import { type ExactScope, type InspectableStore, type ScrubbedTable, scopeKey } from "../store/index.js";
import { CostLog } from "./cost-log.js";
import type { ParsedOptions, SimpleMemOptions } from "./options.js";
import { realTimer, Scheduler } from "./scheduler.js";
import { SEQUENCES_PER_MS } from "./sequences.js";
import { Writer } from "./writer.js";

/** The name of the claim on maintenance that starts by itself. */
const SCHEDULED_KEY = "scheduled maintenance";

const CLOSED = "this memory was closed; open it again with SimpleMem.open.";

export interface EngineParts {
  readonly options: ParsedOptions;
  readonly store: InspectableStore;
  readonly owner: Owner;
  readonly redact: (text: string) => string;
  readonly countTokens: (text: string) => number;
  readonly locks: ScopeLocks;
  readonly write: WriteServices;
  readonly read: ReadServices;
  /** An engine over an empty store in memory, with these options in place of its own. */
  readonly beside: (options: Partial<SimpleMemOptions>) => Promise<Engine>;
  readonly maintain: MaintainServices;
}

/** What all handles of one open store share. */
export class Engine {
  readonly options: ParsedOptions;
  readonly store: InspectableStore;
  readonly redact: (text: string) => string;
  readonly countTokens: (text: string) => number;
  readonly writeGraph: ReturnType<typeof createWriteGraph>;
  readonly readGraph: ReturnType<typeof createReadGraph>;
  /** The read graph's way to hits that are not judged, without the graph. */
  readonly straightRead: ReturnType<typeof createStraightRead>;
  readonly maintainGraph: ReturnType<typeof createMaintainGraph>;
  readonly maintain: MaintainServices;
  readonly writer: Writer;
  readonly embedder: NamedEmbedder;
  readonly services: WriteServices;
  readonly beside: EngineParts["beside"];
  readonly owner: Owner;
  readonly costs: CostLog;
  readonly #locks: ScopeLocks;
  readonly #latency = new Map<string, { calls: number; ms: number }>();
  #reads: Usage = emptyUsage();
  #scheduler: Scheduler | undefined;
  #sequence = 0;
  readonly #ending = new AbortController();

  constructor(parts: EngineParts) {
    this.options = parts.options;
    this.store = parts.store;
    this.redact = parts.redact;
    this.countTokens = parts.countTokens;
    this.embedder = parts.write.embedder;
    this.services = parts.write;
    this.beside = parts.beside;
    this.owner = parts.owner;
    this.#locks = parts.locks;
    this.writeGraph = createWriteGraph(parts.write, parts.owner);
    this.readGraph = createReadGraph(parts.read);
    this.straightRead = createStraightRead(parts.read);
    this.maintainGraph = createMaintainGraph(parts.maintain);
    this.maintain = parts.maintain;
    this.costs = new CostLog({
      store: parts.store,
      clock: parts.options.clock,
      logger: parts.options.logger,
      exclusive: (scope, work) => this.exclusive(scope, work),
    });
    this.writer = new Writer({
      services: parts.write,
      owner: parts.owner,
      graph: this.writeGraph,
      windowSize: parts.options.window.size,
      idleMs: parts.options.window.idleMs,
      isBackground: parts.options.window.background,
      costs: this.costs,
    });
  }

  ensureOpen(): void {
    if (this.isClosed) throw new ClosedError(CLOSED);
  }

  get isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Aborts when the engine is closed. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  markClosed(): void {
    this.#ending.abort(new ClosedError(CLOSED));
    this.writer.stopTimers();
    this.#scheduler?.stop();
  }

  /** Runs work over the whole store again and again; of the processes that share it, one at a time. */
  schedule(work: (signal: AbortSignal) => Promise<unknown>): void {
    const { everyMs, jitter } = this.options.maintenance;
    if (everyMs === 0 || this.store.readOnly) return;
    const alone = (signal: AbortSignal) =>
      this.#locks.tryWith(SCHEDULED_KEY, randomUUID(), async () => {
        if (await this.#isDue()) await work(signal);
      });
    const run = async (signal: AbortSignal): Promise<void> => {
      await this.writer.inBackground("scheduled maintenance", () => alone(signal));
    };
    this.#scheduler = new Scheduler({ everyMs, jitter, run, timer: realTimer, random: Math.random });
    this.#scheduler.start();
  }

  /** Counts entries that a read found. They are written together, now and then; a read-only store counts nothing. */
  noteFound(scope: ExactScope, entryIds: readonly string[]): void {
    if (this.store.readOnly || entryIds.length === 0) return;
    const { accesses } = this.maintain;
    accesses.note(scope, entryIds, new Date(this.options.clock()).toISOString());
    if (accesses.isFull) void this.writer.inBackground("counting accesses", () => this.writeFound());
  }

  /** Writes what reads found since the last time, as far as the signal lets. */
  async writeFound(signal?: AbortSignal): Promise<void> {
    for (const scope of this.maintain.accesses.scopes()) {
      signal?.throwIfAborted();
      await writeAccesses(this.maintain, scope, signal);
    }
    signal?.throwIfAborted();
    await this.costs.write();
  }

  /** Whether no process ran it within the last time but the spread. */
  async #isDue(): Promise<boolean> {
    const { everyMs, jitter } = this.options.maintenance;
    const [last] = await this.store.runs.list(null);
    return last === undefined || this.options.clock() - Date.parse(last.startedAt) >= everyMs * (1 - jitter);
  }

  /** A number that grows with every turn, also when the clock stands still or goes back. */
  nextSequence(): number {
    this.#sequence = Math.max(this.#sequence + 1, this.options.clock() * SEQUENCES_PER_MS);
    return this.#sequence;
  }

  /** Runs a change of a scope alone, in this process and among processes. */
  exclusive<T>(scope: ExactScope, work: () => Promise<T>): Promise<T> {
    return this.#locks.with(scopeKey(scope), randomUUID(), work);
  }

  /** As `exclusive`, while nobody cuts the scope's pending turns either. */
  exclusiveWithCut<T>(scope: ExactScope, work: () => Promise<T>): Promise<T> {
    return this.#locks.with(cutKey(scope), randomUUID(), () => this.exclusive(scope, work));
  }

  /** Runs upkeep of the whole store; one process at a time. */
  upkeep<T>(work: () => Promise<T>): Promise<T> {
    return this.#locks.with(MAINTENANCE_KEY, randomUUID(), work);
  }

  /** Runs a task of this name; one process at a time. */
  alone<T>(task: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.with(task, randomUUID(), work);
  }

  /** Rewrites the files so that removed bytes are gone; answers what that did to each table. */
  scrub(): Promise<readonly ScrubbedTable[]> {
    return this.upkeep(async () => {
      await this.writer.settleIndexing();
      return this.store.scrub();
    });
  }

  async timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const started = this.options.clock();
    try {
      return await work();
    } finally {
      const known = this.#latency.get(operation) ?? { calls: 0, ms: 0 };
      this.#latency.set(operation, { calls: known.calls + 1, ms: known.ms + this.options.clock() - started });
    }
  }

  /** Adds the cost of a read or of maintenance to the running totals; of a scope, also to what the store keeps. */
  spend(usage: Usage, scope?: ExactScope): void {
    this.#reads = addUsage(this.#reads, usage);
    if (scope !== undefined) this.costs.note(scope, usage);
  }

  spent(): { latency: { [operation: string]: number }; totals: Usage } {
    const latency = Object.fromEntries([...this.#latency].map(([name, { calls, ms }]) => [name, ms / calls]));
    return { latency, totals: addUsage(this.#reads, this.writer.totals) };
  }
}
