import { DimensionMismatchError, InvalidInputError, type Logger, NotWritableError } from "../records/index.js";
import { CHUNKS, LanceChunkTable } from "./chunks.js";
import { CLAIMS, LanceClaims } from "./claims.js";
import type { Database } from "./connection.js";
import { LanceEntryTable } from "./entries.js";
import { ENTRIES } from "./entry-cells.js";
import { FACTS, LanceFactTable } from "./facts.js";
import { INBOX, LanceInbox } from "./inbox.js";
import { scopedKey } from "./keys.js";
import { LanceLedger, LEDGER } from "./ledger.js";
import { checkSpace, META, Meta } from "./meta.js";
import { checkVersion, migrate } from "./migrations.js";
import type { ExactScope, MemoryStore } from "./store.js";
import { StoreTable } from "./table.js";
import { LanceTombstones, TOMBSTONES } from "./tombstones.js";
import { LanceTurnLog, TURNS } from "./turns.js";
import type { VectorSpace } from "./vectors.js";

/** The store over one LanceDB database. Tables with vectors are made when the length of the vectors is known. */
export class LanceStore implements MemoryStore {
  readonly turns: LanceTurnLog;
  readonly inbox: LanceInbox;
  readonly ledger: LanceLedger;
  readonly entries: LanceEntryTable;
  readonly chunks: LanceChunkTable;
  readonly facts: LanceFactTable;
  readonly tombstones: LanceTombstones;
  readonly claims: LanceClaims;
  readonly readOnly: boolean;
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #meta: Meta;
  readonly #metaTable: StoreTable;
  readonly #plainTables: readonly StoreTable[];
  readonly #vectorTables: readonly StoreTable[];
  #space: VectorSpace | null = null;

  constructor(database: Database, logger: Logger) {
    const table = (design: ConstructorParameters<typeof StoreTable>[1]) => new StoreTable(database, design);
    const [turns, inbox, ledger, facts] = [table(TURNS), table(INBOX), table(LEDGER), table(FACTS)];
    const [tombstones, claims, entries, chunks] = [table(TOMBSTONES), table(CLAIMS), table(ENTRIES), table(CHUNKS)];
    this.#database = database;
    this.#logger = logger;
    this.readOnly = database.readOnly;
    this.#metaTable = table(META);
    this.#meta = new Meta(this.#metaTable);
    this.#plainTables = [this.#metaTable, turns, inbox, ledger, facts, tombstones, claims];
    this.#vectorTables = [entries, chunks];
    const space = () => this.#knownSpace();
    this.turns = new LanceTurnLog(turns);
    this.inbox = new LanceInbox(inbox);
    this.ledger = new LanceLedger(ledger);
    this.facts = new LanceFactTable(facts);
    this.tombstones = new LanceTombstones(tombstones, this.#meta);
    this.claims = new LanceClaims(claims);
    this.entries = new LanceEntryTable(entries, space);
    this.chunks = new LanceChunkTable(chunks, space);
  }

  get dimension(): number | null {
    return this.#space?.dimension ?? null;
  }

  /** Checks what is there, before anything is made; then makes what is missing. */
  async open(): Promise<void> {
    const names = new Set(await this.#database.tableNames());
    if (names.has(META.name)) checkVersion(await this.#meta.version());
    const present = [...this.#plainTables, ...this.#vectorTables].filter(({ design }) => names.has(design.name));
    await Promise.all(present.map((table) => table.open()));
    if (!this.readOnly) {
      await Promise.all(this.#plainTables.map((table) => table.create()));
      await migrate(this.#meta);
    }
    await this.#knownSpace();
  }

  async ensureDimension(dimension: number, embedder: string): Promise<void> {
    if (!Number.isInteger(dimension) || dimension < 1) {
      throw new InvalidInputError(`the dimension of vectors must be a whole number above 0, got ${dimension}.`);
    }
    const wanted = { dimension, embedder };
    const known = await this.#knownSpace();
    if (known !== null) checkSpace(known, wanted);
    if (this.readOnly) return;
    const space = known ?? (await this.#meta.settleVectorSpace(wanted));
    for (const table of this.#vectorTables) {
      await table.create(space.dimension);
      const found = await table.dimension();
      if (found !== null && found !== dimension) {
        throw new DimensionMismatchError(
          `the table "${table.design.name}" holds vectors of ${found} numbers, but ${embedder} makes vectors of ${dimension}.`,
          found,
          dimension,
        );
      }
    }
    this.#space = space;
  }

  async users(tenantId?: string): Promise<readonly { readonly userId: string; readonly tenantId: string }[]> {
    const users = new Map<string, { userId: string; tenantId: string }>();
    for (const scope of await this.#scopes()) {
      if (tenantId !== undefined && scope.tenantId !== tenantId) continue;
      users.set(scopedKey({ ...scope, agentId: "" }), { userId: scope.userId, tenantId: scope.tenantId });
    }
    return [...users.values()].sort((left, right) => (left.userId < right.userId ? -1 : 1));
  }

  async scopesOf(user: { userId: string; tenantId: string }): Promise<readonly ExactScope[]> {
    const scopes = new Map<string, ExactScope>();
    for (const scope of await this.#scopes()) {
      if (scope.userId === user.userId && scope.tenantId === user.tenantId) scopes.set(scopedKey(scope), scope);
    }
    return [...scopes.values()];
  }

  async optimize(options: { keepMs?: number } = {}): Promise<void> {
    for (const table of this.#allTables()) await table.optimize(options.keepMs ?? 0);
    this.#logger.debug("store optimized");
  }

  async scrub(): Promise<void> {
    for (const table of this.#allTables()) await table.scrub();
    this.#logger.debug("store scrubbed");
  }

  async bytes(): Promise<number> {
    return this.#database.bytes();
  }

  async reset(): Promise<void> {
    if (this.readOnly)
      throw new NotWritableError("the store was opened read-only; open it without readOnly to reset it.");
    const names = new Set(await this.#database.tableNames());
    for (const table of this.#allTables()) {
      table.forget();
      if (names.has(table.design.name)) await this.#database.dropTable(table.design.name);
    }
    this.#space = null;
    await this.open();
  }

  async close(): Promise<void> {
    for (const table of this.#allTables()) table.forget();
    await this.#database.close();
  }

  #allTables(): readonly StoreTable[] {
    return [...this.#plainTables, ...this.#vectorTables];
  }

  /** Once settled it stays, so it is looked up until it is known. */
  async #knownSpace(): Promise<VectorSpace | null> {
    this.#space ??= await this.#meta.vectorSpace();
    return this.#space;
  }

  async #scopes(): Promise<readonly ExactScope[]> {
    const lists = await Promise.all(
      [this.turns, this.entries, this.facts, this.inbox, this.ledger].map((one) => one.scopes()),
    );
    return lists.flat();
  }
}
