import { type Logger, StoreVersionError, type TableHealth, type Upkeep } from "../records/index.js";
import { CHUNK_TEXTS, CHUNKS, LanceChunkTable } from "./chunks.js";
import { CLAIMS, LanceClaims } from "./claims.js";
import { COLUMN_INDEX_FROM } from "./column-indexes.js";
import type { Database } from "./connection.js";
import { LanceCosts } from "./costs.js";
import { type CountedTables, wholeCounts } from "./counts.js";
import { LanceEntryTable } from "./entries.js";
import { ENTRIES, ENTRY_TEXTS } from "./entry-cells.js";
import { FACTS, LanceFactTable } from "./facts.js";
import { FORMER_ENTRIES } from "./former-entries.js";
import { INBOX, LanceInbox } from "./inbox.js";
import type { InspectableStore } from "./inspection.js";
import { ITEM_VECTORS, ITEMS } from "./item-cells.js";
import { LanceItemTable } from "./items.js";
import { scopedKey } from "./keys.js";
import { LanceInspection } from "./lance-inspection.js";
import { LanceLedger, LEDGER } from "./ledger.js";
import { ITEM_SPACE, MEMORY_SPACE, META, Meta } from "./meta.js";
import { checkIsCurrent, checkVersion, migrate } from "./migrations.js";
import type { MoveReport, MoveRequest, TextSource } from "./move.js";
import { LanceRuns } from "./runs.js";
import type { ExactScope, Journal, MemoryStore, ScrubbedTable, WholeCounts } from "./store.js";
import { StrayTables } from "./stray-tables.js";
import { StoreTable } from "./table.js";
import { LanceTombstones, TOMBSTONES } from "./tombstones.js";
import { LanceTurnLog, TURNS } from "./turns.js";
import { VectorMove } from "./vector-move.js";
import { VectorTables } from "./vector-tables.js";

/** The store over one LanceDB database. Tables with vectors are made when the length of the vectors is known. */
export class LanceStore implements InspectableStore {
  readonly turns: LanceTurnLog;
  readonly inbox: LanceInbox;
  readonly ledger: LanceLedger;
  readonly entries: LanceEntryTable;
  readonly chunks: LanceChunkTable;
  readonly facts: LanceFactTable;
  readonly items: LanceItemTable;
  readonly tombstones: LanceTombstones;
  readonly claims: LanceClaims;
  readonly runs: LanceRuns;
  readonly costs: LanceCosts;
  readonly inspection: LanceInspection;
  readonly readOnly: boolean;
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #meta: Meta;
  readonly #metaTable: StoreTable;
  readonly #plainTables: readonly StoreTable[];
  readonly #itemTable: StoreTable;
  readonly #entryTable: StoreTable;
  readonly #memoryVectors: VectorTables;
  readonly #itemVectors: VectorTables;
  readonly #strays: StrayTables;
  readonly #counted: CountedTables;
  readonly #sources: readonly (TextSource & { readonly table: StoreTable })[];

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
    this.#counted = { turns, inbox, ledger, facts, entries };
    this.#itemTable = table(ITEMS);
    this.#entryTable = entries;
    const itemVectors = table(ITEM_VECTORS);
    this.#memoryVectors = new VectorTables(this.#meta, MEMORY_SPACE, [entries, chunks]);
    this.#itemVectors = new VectorTables(this.#meta, ITEM_SPACE, [itemVectors]);
    this.#sources = [
      { table: entries, ...ENTRY_TEXTS },
      { table: chunks, ...CHUNK_TEXTS },
    ];
    this.#strays = new StrayTables(database, this.#memoryVectors, this.#meta);
    const space = () => this.#memoryVectors.known();
    this.turns = new LanceTurnLog(turns);
    this.inbox = new LanceInbox(inbox);
    this.ledger = new LanceLedger(ledger);
    this.facts = new LanceFactTable(facts);
    this.tombstones = new LanceTombstones(tombstones, this.#meta);
    this.claims = new LanceClaims(claims);
    this.runs = new LanceRuns(this.#metaTable);
    this.costs = new LanceCosts(this.#metaTable);
    this.entries = new LanceEntryTable(entries, space);
    this.chunks = new LanceChunkTable(chunks, space);
    this.items = new LanceItemTable(this.#itemTable, itemVectors, () => this.#itemVectors.known());
    const tables = { meta: this.#metaTable, turns, inbox, ledger, entries, chunks, facts, tombstones, claims };
    this.inspection = new LanceInspection({
      meta: this.#meta,
      strays: this.#strays,
      tables: { ...tables, items: this.#itemTable, item_vectors: itemVectors },
      refresh: () => Promise.all([this.#memoryVectors.refreshed(), this.#itemVectors.refreshed()]),
    });
  }

  ensureWritable(): void {
    this.#database.ensureWritable();
  }

  get journal(): Journal {
    return this.#meta.journal;
  }

  get dimension(): number | null {
    return this.#memoryVectors.dimension;
  }

  /** Checks what is there, before anything is made; then makes what is missing. */
  async open(): Promise<void> {
    const names = new Set(await this.#database.tableNames());
    const version = names.has(META.name) ? await this.#checkVersion() : null;
    await this.#memoryVectors.known();
    // Entries of version 1 have other columns until they are brought up to date.
    const isFormer = ({ design }: StoreTable): boolean => design === ENTRIES && version !== null && version < 3;
    const present = this.#allTables().filter((table) => names.has(table.name) && !isFormer(table));
    await Promise.all(present.map((table) => table.open()));
    if (!this.readOnly) {
      if (version !== null) await this.#checkNoneMissing();
      await Promise.all(this.#plainTables.map((table) => table.create()));
      await migrate(this.#meta, {
        makeItems: () => this.#itemTable.create(),
        makeRecords: () => this.#entryTable.replaceColumns(FORMER_ENTRIES),
        addColumns: () => Promise.all(this.#memoryVectors.tables.map((table) => table.addMissingColumns())),
      });
      await this.#memoryVectors.complete();
      await this.#itemVectors.complete();
    }
    await this.#memoryVectors.known();
  }

  async ensureDimension(dimension: number, embedder: string): Promise<void> {
    await this.#memoryVectors.ensure({ dimension, embedder }, this.readOnly);
  }

  async ensureItemDimension(dimension: number, embedder: string): Promise<void> {
    await this.#itemVectors.ensure({ dimension, embedder }, this.readOnly);
  }

  get embedder(): string | null {
    return this.#memoryVectors.embedder;
  }

  async comparesWith(embedder: string): Promise<"yes" | "soon" | "no"> {
    const space = await this.#memoryVectors.known();
    if (space === null || space.embedder === embedder) return "yes";
    if ((await this.#memoryVectors.refreshed())?.embedder === embedder) return "yes";
    return (await this.#meta.vectorMove())?.embedder === embedder ? "soon" : "no";
  }

  reembed(request: MoveRequest): Promise<MoveReport> {
    const parts = { meta: this.#meta, vectors: this.#memoryVectors, sources: this.#sources, strays: this.#strays };
    return new VectorMove({ ...parts, tableOf: (design) => new StoreTable(this.#database, design) }, request).run();
  }

  async users(tenantId?: string): Promise<readonly { readonly userId: string; readonly tenantId: string }[]> {
    const users = new Map<string, { userId: string; tenantId: string }>();
    for (const scope of await this.scopes()) {
      if (tenantId !== undefined && scope.tenantId !== tenantId) continue;
      users.set(scopedKey({ ...scope, agentId: "" }), { userId: scope.userId, tenantId: scope.tenantId });
    }
    return [...users.values()].sort((left, right) => (left.userId < right.userId ? -1 : 1));
  }

  async scopesOf(user: { userId: string; tenantId: string }): Promise<readonly ExactScope[]> {
    const scopes = await this.scopes();
    return scopes.filter(({ userId, tenantId }) => userId === user.userId && tenantId === user.tenantId);
  }

  async scopes(): Promise<readonly ExactScope[]> {
    const lists = await Promise.all(
      [this.turns, this.entries, this.facts, this.inbox, this.ledger].map((one) => one.scopes()),
    );
    return [...new Map(lists.flat().map((scope) => [scopedKey(scope), scope])).values()];
  }

  get isFragmented(): boolean {
    return this.#allTables().some((table) => table.isFragmented);
  }

  async optimize(options: Parameters<MemoryStore["optimize"]>[0] = {}): Promise<Upkeep> {
    const { keepMs = 0, onlyFragmented = false, vectorIndexFrom = Number.POSITIVE_INFINITY } = options;
    const { columnIndexFrom = COLUMN_INDEX_FROM } = options;
    const tables = this.#allTables().filter((table) => table.isFragmented || !onlyFragmented);
    const upkeep = { tables: tables.length, vectorIndexes: 0, unindexedRows: 0 };
    for (const table of tables) {
      await table.indexColumns(columnIndexFrom);
      upkeep.vectorIndexes += Number(await table.indexVectors(vectorIndexFrom));
      await table.optimize(keepMs);
      upkeep.unindexedRows += await table.unindexed();
    }
    this.#logger.debug("store optimized", upkeep);
    return upkeep;
  }

  async scrub(): Promise<readonly ScrubbedTable[]> {
    // Copies of an unfinished move hold what was removed: it begins anew.
    if ((await this.#meta.vectorMove()) !== null) await this.#meta.setVectorMove(null);
    await this.#strays.drop();
    const tables: ScrubbedTable[] = [];
    for (const table of this.#allTables()) {
      const scrubbed = await table.scrub();
      if (scrubbed !== null) tables.push(scrubbed);
    }
    this.#logger.debug("store scrubbed");
    return tables;
  }

  async seal(text: string): Promise<string> {
    return this.#meta.seal(text);
  }

  tableHealth(): Promise<readonly TableHealth[]> {
    return Promise.all(this.#memoryVectors.tables.map((table) => table.health()));
  }

  async counts(): Promise<WholeCounts> {
    return wholeCounts(this.#counted);
  }

  async bytes(): Promise<number> {
    return this.#database.bytes();
  }

  async reset(): Promise<void> {
    this.ensureWritable();
    const names = new Set(await this.#database.tableNames());
    for (const table of this.#allTables()) {
      table.forget();
      if (names.has(table.name)) await table.drop();
    }
    await this.#strays.drop();
    this.#memoryVectors.forget();
    this.#itemVectors.forget();
    await this.open();
  }

  async close(): Promise<void> {
    for (const table of this.#allTables()) table.forget();
    await this.#database.close();
  }

  async #checkVersion(): Promise<number | null> {
    const version = await this.#meta.version();
    checkVersion(version);
    if (this.readOnly) checkIsCurrent(version);
    return version;
  }

  /** The version is noted when all of them were made: one that is missing since was lost, and an empty one would hide it. */
  async #checkNoneMissing(): Promise<void> {
    const names = new Set(await this.#database.tableNames());
    const missing = this.#plainTables.map(({ name }) => name).filter((name) => !names.has(name));
    if (missing.length === 0) return;
    throw new StoreVersionError(
      `the store is damaged: the table ${missing.map((name) => `"${name}"`).join(", ")} is missing. It was left unchanged; restore the folder from a backup, or open it with readOnly: true to export what is left.`,
    );
  }

  #allTables(): readonly StoreTable[] {
    return [...this.#plainTables, this.#itemTable, ...this.#memoryVectors.tables, ...this.#itemVectors.tables];
  }
}
