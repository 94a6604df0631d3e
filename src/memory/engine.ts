import { randomUUID } from "node:crypto";
import type { NamedEmbedder, ReadServices, WriteServices } from "../graph/index.js";
import {
  createReadGraph,
  createWriteGraph,
  cutKey,
  MAINTENANCE_KEY,
  type Owner,
  type ScopeLocks,
} from "../graph/index.js";
import { addUsage, ClosedError, emptyUsage, type Usage } from "../records/index.js";
import { type ExactScope, type MemoryStore, type ScrubbedTable, scopeKey } from "../store/index.js";
import type { ParsedOptions } from "./options.js";
import { Writer } from "./writer.js";

/** Several turns may arrive within one millisecond; each still gets a number of its own. */
const SEQUENCES_PER_MS = 1000;

export interface EngineParts {
  readonly options: ParsedOptions;
  readonly store: MemoryStore;
  readonly owner: Owner;
  readonly redact: (text: string) => string;
  readonly countTokens: (text: string) => number;
  readonly locks: ScopeLocks;
  readonly write: WriteServices;
  readonly read: ReadServices;
}

/** What all handles of one open store share. */
export class Engine {
  readonly options: ParsedOptions;
  readonly store: MemoryStore;
  readonly redact: (text: string) => string;
  readonly countTokens: (text: string) => number;
  readonly writeGraph: ReturnType<typeof createWriteGraph>;
  readonly readGraph: ReturnType<typeof createReadGraph>;
  readonly writer: Writer;
  readonly embedder: NamedEmbedder;
  readonly services: WriteServices;
  readonly owner: Owner;
  readonly #locks: ScopeLocks;
  readonly #latency = new Map<string, { calls: number; ms: number }>();
  #reads: Usage = emptyUsage();
  #sequence = 0;
  #closed = false;

  constructor(parts: EngineParts) {
    this.options = parts.options;
    this.store = parts.store;
    this.redact = parts.redact;
    this.countTokens = parts.countTokens;
    this.embedder = parts.write.embedder;
    this.services = parts.write;
    this.owner = parts.owner;
    this.#locks = parts.locks;
    this.writeGraph = createWriteGraph(parts.write, parts.owner);
    this.readGraph = createReadGraph(parts.read);
    this.writer = new Writer({
      services: parts.write,
      owner: parts.owner,
      graph: this.writeGraph,
      windowSize: parts.options.window.size,
      idleMs: parts.options.window.idleMs,
    });
  }

  ensureOpen(): void {
    if (this.#closed) throw new ClosedError("this memory was closed; open it again with SimpleMem.open.");
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  markClosed(): void {
    this.#closed = true;
    this.writer.stopTimers();
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

  /** Adds the cost of a read to the running totals. */
  spend(usage: Usage): void {
    this.#reads = addUsage(this.#reads, usage);
  }

  spent(): { latency: { [operation: string]: number }; totals: Usage } {
    const latency = Object.fromEntries([...this.#latency].map(([name, { calls, ms }]) => [name, ms / calls]));
    return { latency, totals: addUsage(this.#reads, this.writer.totals) };
  }
}
