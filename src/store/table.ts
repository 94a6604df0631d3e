import type * as Lance from "@lancedb/lancedb";
import { StoreVersionError, type TableHealth } from "../records/index.js";
import { AskedOnce } from "./asked-once.js";
import { keepColumnIndexes, rebuildColumnIndexes } from "./column-indexes.js";
import { Commits } from "./commits.js";
import type { Database } from "./connection.js";
import { absentValue, EVERY_ROW, NO_ROW, type Predicate } from "./filter.js";
import { JoinedWrites } from "./joined-writes.js";
import { inColumns } from "./paced-rows.js";
import { type FormerColumns, replaceColumns } from "./replaced-columns.js";
import { ROW_ID, rowsOf, selecting } from "./result-rows.js";
import { type RetryOptions, retrying } from "./retry.js";
import type { Row } from "./row.js";
import { arrowSchema, type Cells, type Columns, checkSchema, missingColumns, vectorLength } from "./schema.js";
import { SettledState } from "./settled.js";
import type { ScrubbedTable } from "./store.js";
import { UntilWritten } from "./until-written.js";
import { keepVectorIndex, throughIndex } from "./vector-index.js";
import { wordIndex } from "./word-index.js";

/** Rows of one write: more are cut, so that one huge import does not make one huge message. */
const WRITE_BATCH = 5_000;

/**
 * Versions younger than this are kept where nothing keeps other writers away, on object storage: a commit looks for
 * conflicts in the versions since it began, and one that was cleaned away is not seen, so that a delete or an upsert would
 * be lost. No commit takes this long.
 */
const FOREIGN_KEEP_MS = 15_000;

/** A scrub counts as so many versions: all that was read of the table before is void. A purge, which scrubs all tables, makes the connection anew. */
const VERSIONS_OF_SCRUB = 100;

/** Counts that are kept until someone writes. */
const KEPT_COUNTS = 200;

export interface TableDesign {
  readonly name: string;
  readonly columns: Columns;
  /** Unique column, on which rows are merged. */
  readonly key: string;
  /** Full-text columns: words parted by spaces. */
  readonly wordColumns: readonly string[];
  /** Columns that came after the first version of the table; see `addMissingColumns`. */
  readonly added?: readonly string[];
}

export interface ReadOptions {
  readonly columns?: readonly string[];
  readonly orderBy?: readonly { readonly column: string; readonly descending?: boolean }[];
  readonly limit?: number;
}

export type Neighbour = { readonly row: Row; readonly distance: number };

/** Rows that a scan hands on at once. */
const SCAN_ROWS = 1_000;

/** One table: the only place that calls LanceDB. A missing table reads as an empty one. */
export class StoreTable {
  readonly design: TableDesign;
  readonly #database: Database;
  readonly #retry: RetryOptions;
  #commits: Commits;
  #name: string;
  #table: Promise<Lance.Table> | null = null;
  /** That of the database by which it was opened. */
  #connection = 0;
  /** The last that was seen; 0: none yet. */
  #version = 0;
  readonly #appends = new JoinedWrites<Cells>(
    (rows) => this.#writing(rows, (table, batch) => table.add(batch)),
    WRITE_BATCH,
  );
  readonly #inserts = new JoinedWrites<Cells>((rows) => this.#insertNew(rows), WRITE_BATCH);
  readonly #upserts = new JoinedWrites<Cells>((rows) => this.#upsert(rows), WRITE_BATCH);
  readonly #counts = new UntilWritten<number>(this, KEPT_COUNTS);
  readonly #settled = new SettledState();
  readonly #state = new AskedOnce(() => this.#readState());

  constructor(database: Database, design: TableDesign, retry: RetryOptions = {}) {
    this.#database = database;
    this.design = design;
    this.#name = design.name;
    this.#retry = retry;
    this.#commits = new Commits(design.name, database, retry);
  }

  /** What the table is called on disk: the design's name, until its vectors were made anew. */
  get name(): string {
    return this.#name;
  }

  /** From now on this is the table of that name. */
  moveTo(name: string): void {
    if (name === this.#name) return;
    this.forget();
    this.#name = name;
    this.#commits = new Commits(name, this.#database, this.#retry);
  }

  /** Runs while nobody writes to the table, in this process or another. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#commits.alone(work);
  }

  /** Removes the table with all that is in it. */
  async drop(): Promise<void> {
    this.forget();
    await this.#database.dropTable(this.#name);
  }

  /** True when this handle made so many small files that folding them pays. */
  get isFragmented(): boolean {
    return this.#commits.isFragmented(this.design.wordColumns.length > 0);
  }

  /** Makes the table (vectors of this length), or checks the one that is there. */
  async create(dimension = 0): Promise<Lance.Table> {
    if (this.#table === null) this.#connection = this.#database.connections;
    this.#table ??= this.#make(dimension).catch((error: unknown) => {
      this.#table = null;
      throw error;
    });
    return this.#table;
  }

  /** Null when there is no such table. */
  async open(): Promise<Lance.Table | null> {
    const { connections } = this.#database;
    if (this.#table !== null && this.#connection === connections) return this.#table;
    const found = await this.#database.openTable(this.#name);
    if (found === null) return null;
    await this.#check(found);
    this.#table = Promise.resolve(found);
    this.#connection = connections;
    return found;
  }

  async dimension(): Promise<number | null> {
    const table = await this.open();
    return table === null ? null : vectorLength(await table.schema());
  }

  async read(where: Predicate, options: ReadOptions = {}): Promise<readonly Row[]> {
    if (where === NO_ROW) return [];
    return this.#reading(async (table) => {
      const query = selecting(table.query(), options.columns ?? Object.keys(this.design.columns));
      if (where !== EVERY_ROW) query.where(where);
      if (options.orderBy !== undefined) {
        query.orderBy(
          options.orderBy.map(({ column, descending = false }) => ({ columnName: column, ascending: !descending })),
        );
      }
      if (options.limit !== undefined) query.limit(options.limit);
      return rowsOf(await query.toArrow());
    });
  }

  /**
   * Every row of one version of the table, in no particular order, a thousand at a time. Who cleans that version away meanwhile ends
   * it with an error: begin anew then.
   */
  async *scan(columns: readonly string[]): AsyncGenerator<readonly Row[]> {
    const table = await this.open();
    if (table === null) return;
    let held: Row[] = [];
    for await (const batch of selecting(table.query(), columns)) {
      // Each file gives batches of its own, and a table that is written to has many small ones.
      held.push(...rowsOf(batch));
      for (; held.length >= SCAN_ROWS; held = held.slice(SCAN_ROWS)) yield held.slice(0, SCAN_ROWS);
    }
    if (held.length > 0) yield held;
  }

  /** Rows by their ids (`ROW_ID`), in no particular order; those that are gone or were folded meanwhile are left out. */
  async take(rowIds: readonly number[], columns: readonly string[]): Promise<readonly Row[]> {
    if (rowIds.length === 0) return [];
    return this.#reading(async (table) =>
      rowsOf(await selecting(table.takeRowIds(rowIds), [...columns, ROW_ID]).toArrow()),
    );
  }

  /** Names this making of the table, see `Database.birthOf`. */
  birth(): string {
    return `${this.#name} ${this.#database.birthOf(this.#name)}`;
  }

  /** Names what the table holds: another text after any write, of any process. Cheap beside a read. */
  state(): Promise<string> {
    return this.#state.get();
  }

  async count(where: Predicate): Promise<number> {
    if (where === NO_ROW) return 0;
    return this.#counts.of(where, async () => {
      const table = await this.open();
      return table === null ? 0 : retrying(`reading ${this.design.name}`, () => table.countRows(where), this.#retry);
    });
  }

  /** Rows by cosine distance (0 to 2), nearest first, for each vector. Rows without a vector are not found. */
  async nearest(
    vectors: readonly (readonly number[])[],
    where: Predicate,
    options: { limit: number; columns: readonly string[] },
  ): Promise<readonly (readonly Neighbour[])[]> {
    const [first, ...rest] = vectors;
    const lists = vectors.map((): Neighbour[] => []);
    if (first === undefined || where === NO_ROW || options.limit < 1) return lists;
    const found = await this.#reading(async (table) => {
      let query = table
        .query()
        .nearestTo([...first])
        .distanceType("cosine");
      for (const vector of rest) query = query.addQueryVector([...vector]);
      query = throughIndex(query);
      if (where !== EVERY_ROW) query.where(where);
      return rowsOf(
        await selecting(query, [...options.columns, "_distance"])
          .limit(options.limit)
          .toArrow(),
      );
    });
    for (const row of found) {
      lists[rest.length === 0 ? 0 : row.number("query_index")]?.push({ row, distance: row.number("_distance") });
    }
    return lists.map((list) => list.sort((left, right) => left.distance - right.distance));
  }

  /**
   * Rows by BM25 over the boosted columns, best first. Rows that `optimize` has not folded into the index yet are found
   * too, but LanceDB scores them as if every boost were 1: a ranking must not rest on these scores alone.
   */
  async matching(
    words: string,
    boosts: ReadonlyMap<string, number>,
    where: Predicate,
    options: { limit: number; columns: readonly string[] },
  ): Promise<readonly { row: Row; score: number }[]> {
    if (words.trim() === "" || boosts.size === 0 || where === NO_ROW || options.limit < 1) return [];
    const { lance } = this.#database.modules;
    const found = await this.#reading(async (table) => {
      const legs = [...boosts].map(([column, boost]): [Lance.Occur, Lance.FullTextQuery] => [
        lance.Occur.Should,
        new lance.MatchQuery(words, column, { boost }),
      ]);
      const query = table.query().fullTextSearch(new lance.BooleanQuery(legs));
      if (where !== EVERY_ROW) query.where(where);
      return rowsOf(
        await selecting(query, [...options.columns, "_score"])
          .limit(options.limit)
          .toArrow(),
      );
    });
    return found.map((row) => ({ row, score: row.number("_score") })).sort((left, right) => right.score - left.score);
  }

  /** Adds rows without looking for their keys. */
  async append(rows: readonly Cells[]): Promise<void> {
    await this.#appends.add(rows);
  }

  /** Adds rows whose key is new; the others stay as they are. */
  async insertNew(rows: readonly Cells[]): Promise<void> {
    await this.#inserts.add(rows);
  }

  /** Adds rows, and replaces those of the same key (only where `replace` holds, if given). */
  async upsert(rows: readonly Cells[], replace?: Predicate): Promise<void> {
    await (replace === undefined ? this.#upserts.add(rows) : this.#upsert(rows, replace));
  }

  /** Replaces rows of the same key where `replace` holds; rows that are not there stay away. */
  async replace(rows: readonly Cells[], replace: Predicate): Promise<void> {
    const { key } = this.design;
    await this.#writing(uniqueBy(key, rows, "last"), (table, batch) =>
      table.mergeInsert(key).whenMatchedUpdateAll({ where: replace }).execute(batch),
    );
  }

  /** Changes rows by SQL values; answers how many. */
  async update(where: Predicate, valuesSql: Record<string, string>): Promise<number> {
    const table = await this.#writable();
    if (table === null || where === NO_ROW) return 0;
    const result = await this.#write(0, () => table.update({ where, valuesSql }));
    return Number(result.rowsUpdated);
  }

  /** Removes rows; answers how many. */
  async remove(where: Predicate): Promise<number> {
    const table = await this.#writable();
    if (table === null || where === NO_ROW) return 0;
    const result = await this.#write(0, () => table.delete(where));
    return Number(result.numDeletedRows);
  }

  /**
   * Folds small files and the unindexed tail; drops versions older than `keepMs`, on object storage none of the last 15
   * seconds. Writers of this folder wait meanwhile, in all processes.
   */
  async optimize(keepMs: number): Promise<void> {
    const table = await this.#writable();
    if (table === null) return;
    await this.#commits.fold(() => {
      // Versions carry the time of the machine, so the age is taken from it and not from the engine's clock.
      const kept = this.#database.address.kind === "remote" ? Math.max(keepMs, FOREIGN_KEEP_MS) : keepMs;
      return this.#commits.retried(() => table.optimize({ cleanupOlderThan: new Date(Date.now() - kept) }));
    });
  }

  /**
   * Writes every row anew, rebuilds the indexes and drops all old files. LanceDB does not rewrite a data file of which
   * few rows were deleted, so that compaction alone leaves their bytes. On object storage nobody else may write meanwhile.
   * @returns what was there before and is gone; null when there is no such table
   */
  async scrub(): Promise<ScrubbedTable | null> {
    const table = await this.#writable();
    if (table === null) return null;
    return this.#commits.fold(async () => {
      const { name } = this.design;
      const [versions, files] = [await table.listVersions(), await this.#database.filesOf(name)];
      await this.#rewrite(table);
      this.#database.noteVersions(VERSIONS_OF_SCRUB);
      const left = new Set((await table.listVersions()).map(({ version }) => version));
      const filesLeft = await this.#database.filesOf(name);
      return {
        table: name,
        versionsRemoved: versions.filter(({ version }) => !left.has(version)).length,
        filesBefore: files?.size ?? null,
        filesKept: files === null ? null : [...files].filter((file) => filesLeft?.has(file)).length,
      };
    });
  }

  /** Puts one column in the place of several that a table of an earlier version has; a table without them stays as it is. */
  async replaceColumns(former: FormerColumns): Promise<void> {
    this.#database.ensureWritable();
    await this.#commits.alone(() =>
      this.#commits.retried(async () => {
        const table = await this.#database.openTable(this.#name);
        if (table !== null) await replaceColumns(table, this.design.key, former);
      }),
    );
  }

  /** Gives a table of an earlier version the columns that came since; its rows have no value there. */
  async addMissingColumns(): Promise<void> {
    const table = await this.#writable();
    if (table === null) return;
    await this.#commits.alone(() =>
      this.#commits.retried(async () => {
        const missing = missingColumns(await table.schema(), this.design.added ?? []);
        const columns = missing.map((name) => ({ name, valueSql: absentValue(this.design.columns[name]) }));
        if (columns.length > 0) await table.addColumns(columns);
      }),
    );
  }

  /** Keeps the index of the vectors, see `keepVectorIndex`; answers whether there is one. Others may write meanwhile. */
  async indexVectors(from: number): Promise<boolean> {
    const table = "vector" in this.design.columns ? await this.#writable() : null;
    if (table === null) return false;
    return this.#commits.beside(() => keepVectorIndex(this.#database.modules.lance, table, from));
  }

  /** Keeps the indexes of keys and scopes, see `keepColumnIndexes`. Others may write meanwhile. */
  async indexColumns(from: number): Promise<void> {
    const table = await this.#writable();
    if (table === null) return;
    const { lance } = this.#database.modules;
    await this.#commits.beside(() => keepColumnIndexes(lance, table, this.design, from));
  }

  /** Rows that some index does not cover yet. */
  async unindexed(): Promise<number> {
    return (await this.health()).unindexedRows;
  }

  /** How well its indexes keep up; a table that was not made yet has neither rows nor indexes. */
  async health(): Promise<TableHealth> {
    const table = await this.open();
    const [rows, indexes] = table === null ? [0, []] : [await table.countRows(), await table.listIndices()];
    return {
      table: this.design.name,
      rows,
      indexes: indexes.length,
      unindexedRows: Math.max(0, ...indexes.map(({ numUnindexedRows = 0 }) => Number(numUnindexedRows))),
    };
  }

  forget(): void {
    this.#table = null;
    this.#state.outdate();
    this.#counts.clear();
  }

  async #readState(): Promise<string> {
    const table = await this.open();
    if (table === null) return "";
    const looks = this.#database.looksOf(this.#name);
    const settled = this.#settled.of(looks);
    if (settled !== null) return settled;
    const version = await retrying(`reading ${this.design.name}`, () => table.version(), this.#retry);
    if (this.#version > 0) this.#database.noteVersions(Math.max(0, version - this.#version));
    this.#version = version;
    const state = `${this.birth()} ${version}`;
    this.#settled.learn(looks, state);
    return state;
  }

  /** Who wrote sees what he wrote. */
  async #write<T>(rows: number, run: () => Promise<T>): Promise<T> {
    try {
      return await this.#commits.write(rows, run);
    } finally {
      this.#database.noteVersions(1);
      this.#state.outdate();
    }
  }

  #insertNew(rows: readonly Cells[]): Promise<void> {
    const { key } = this.design;
    return this.#writing(uniqueBy(key, rows, "first"), (table, batch) =>
      table.mergeInsert(key).whenNotMatchedInsertAll().execute(batch),
    );
  }

  #upsert(rows: readonly Cells[], replace?: Predicate): Promise<void> {
    const { key } = this.design;
    return this.#writing(uniqueBy(key, rows, "last"), (table, batch) =>
      table
        .mergeInsert(key)
        .whenMatchedUpdateAll(replace === undefined ? undefined : { where: replace })
        .whenNotMatchedInsertAll()
        .execute(batch),
    );
  }

  async #rewrite(table: Lance.Table): Promise<void> {
    const column = Object.entries(this.design.columns).find(([, kind]) => kind === "text")?.[0];
    if (column !== undefined && (await table.countRows()) > 0) {
      await this.#commits.retried(() => table.update({ where: EVERY_ROW, valuesSql: { [column]: column } }));
    }
    // The newest version names the predicate that made it, and with it the ids that were removed: make one more.
    await this.#commits.retried(() => table.delete(NO_ROW));
    for (const words of this.design.wordColumns) await this.#commits.retried(() => this.#index(table, words));
    const { lance } = this.#database.modules;
    await this.#commits.retried(() => rebuildColumnIndexes(lance, table, this.design));
    for (let pass = 0; pass < 2; pass += 1) {
      await this.#commits.retried(() => table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true }));
    }
  }

  async #make(dimension: number): Promise<Lance.Table> {
    this.#database.ensureWritable();
    const schema = arrowSchema(this.#database.modules.arrow, this.design.columns, dimension);
    const table = await retrying(
      `making ${this.#name}`,
      () => this.#database.createTable(this.#name, schema),
      this.#retry,
    );
    await this.#check(table);
    const made = new Set(
      this.design.wordColumns.length === 0 ? [] : (await table.listIndices()).flatMap((one) => one.columns),
    );
    for (const column of this.design.wordColumns) {
      if (!made.has(column)) await this.#commits.beside(() => this.#index(table, column));
    }
    return table;
  }

  async #check(table: Lance.Table): Promise<void> {
    const expected = arrowSchema(this.#database.modules.arrow, this.design.columns, 1);
    checkSchema(this.design.name, await table.schema(), expected, this.design.added);
  }

  async #index(table: Lance.Table, column: string): Promise<void> {
    const config = wordIndex(this.#database.modules.lance);
    await table.createIndex(column, { config, replace: true });
  }

  async #reading(run: (table: Lance.Table) => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const table = await this.open();
    return table === null ? [] : retrying(`reading ${this.design.name}`, () => run(table), this.#retry);
  }

  async #writing(
    rows: readonly Cells[],
    run: (table: Lance.Table, batch: Lance.Data) => Promise<unknown>,
  ): Promise<void> {
    const table = await this.#writable();
    if (rows.length === 0) return;
    if (table === null) {
      throw new StoreVersionError(`the table "${this.design.name}" is missing; call ensureDimension before writing.`);
    }
    for (let start = 0; start < rows.length; start += WRITE_BATCH) {
      const some = rows.slice(start, start + WRITE_BATCH);
      const batch = await inColumns(this.#database.modules.lance, table, some);
      await this.#write(some.length, () => run(table, batch));
    }
  }

  async #writable(): Promise<Lance.Table | null> {
    this.#database.ensureWritable();
    return this.open();
  }
}

/** LanceDB's merge does not see one key twice in a batch. */
function uniqueBy(key: string, rows: readonly Cells[], keep: "first" | "last"): readonly Cells[] {
  const unique = new Map<unknown, Cells>();
  for (const row of rows) if (keep === "last" || !unique.has(row[key])) unique.set(row[key], row);
  return [...unique.values()];
}
