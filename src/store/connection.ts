import { type BigIntStats, existsSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Lance from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import { ClosedError, NotWritableError, StoreOpenError } from "../records/index.js";
import { FolderGate } from "./folder-gate.js";
import { firstLineOf } from "./retry.js";
import { whyUnwritable } from "./unwritable.js";

const REMOTE_URI = /^(s3|s3\+ddb|gs|az|abfss|db|https?):\/\//;
const ANY_SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;
/**
 * Versions of tables after which the connection is made anew. LanceDB keeps what it read of each version, open files of
 * indexes that were long removed among it, for as long as a connection lasts and until it takes 7 GB.
 */
const VERSIONS_PER_CONNECTION = 1_000;
const MISSING_TABLE = /was not found|does not exist/i;

export interface Modules {
  readonly lance: typeof Lance;
  readonly arrow: typeof Arrow;
}

function libc(): string {
  if (process.platform !== "linux") return "none";
  const report: { header?: { glibcVersionRuntime?: string } } = JSON.parse(JSON.stringify(process.report.getReport()));
  return report.header?.glibcVersionRuntime === undefined ? "musl" : "gnu";
}

function nativePackage(): string {
  const suffix = process.platform === "win32" ? "-msvc" : process.platform === "linux" ? `-${libc()}` : "";
  return `@lancedb/lancedb-${process.platform}-${process.arch}${suffix}`;
}

/**
 * Loads LanceDB when it is first needed, so that everything that needs no store works without its native part.
 * @throws StoreOpenError naming the platform and the package that is missing
 */
export async function loadModules(
  load: () => Promise<Modules> = async () => ({
    lance: await import("@lancedb/lancedb"),
    arrow: await import("apache-arrow"),
  }),
): Promise<Modules> {
  try {
    return await load();
  } catch (error) {
    throw new StoreOpenError(
      `LanceDB does not load on ${process.platform} ${process.arch} (libc: ${libc()}). Install ${nativePackage()} at the version of @lancedb/lancedb; where no such package exists, this platform has no store.`,
      { cause: error },
    );
  }
}

export type Address =
  | { readonly kind: "folder"; readonly uri: string }
  | { readonly kind: "memory"; readonly uri: string }
  | { readonly kind: "remote"; readonly uri: string };

/** @throws StoreOpenError for a blank address or an unknown scheme */
export function parseAddress(uri: string): Address {
  if (typeof uri !== "string" || uri.trim() === "") {
    throw new StoreOpenError(
      `uri must be a folder, memory://, s3://, gs://, az:// or db://, got ${JSON.stringify(uri)}.`,
    );
  }
  if (uri.startsWith("memory://")) return { kind: "memory", uri };
  if (REMOTE_URI.test(uri)) return { kind: "remote", uri };
  if (uri.startsWith("file://")) return { kind: "folder", uri: fileURLToPath(uri) };
  if (ANY_SCHEME.test(uri))
    throw new StoreOpenError(`the address ${JSON.stringify(uri)} has a scheme that is not known.`);
  return { kind: "folder", uri };
}

function openError(uri: string, error: unknown): StoreOpenError | NotWritableError {
  const line = firstLineOf(error);
  const reason = whyUnwritable(line);
  return reason === null
    ? new StoreOpenError(`${uri} cannot be opened: ${line}`, { cause: error })
    : new NotWritableError(`${uri} is not writable: ${line}`, { cause: error, isFull: reason === "full" });
}

export interface DatabaseOptions {
  readonly uri: string;
  readonly storageOptions?: Record<string, string>;
  /** Why nothing may be written; null when it may. */
  readonly whyReadOnly: string | null;
  /** Each table is written by one commit at a time. */
  readonly oneAtATime: boolean;
  /** See `noteVersions`. Default 1,000. */
  readonly versionsPerConnection?: number;
}

/** The connection. Opened read-only it makes neither folder nor table. */
export class Database {
  readonly address: Address;
  readonly modules: Modules;
  readonly whyReadOnly: string | null;
  readonly oneAtATime: boolean;
  readonly #storageOptions: Record<string, string> | undefined;
  #connection: Promise<Lance.Connection> | null = null;
  readonly #versionsPerConnection: number;
  #connections = 0;
  #versions = 0;
  #closed = false;

  constructor(modules: Modules, options: DatabaseOptions) {
    this.modules = modules;
    this.address = parseAddress(options.uri);
    this.whyReadOnly = options.whyReadOnly;
    this.oneAtATime = options.oneAtATime;
    this.#storageOptions = options.storageOptions;
    this.#versionsPerConnection = options.versionsPerConnection ?? VERSIONS_PER_CONNECTION;
  }

  get readOnly(): boolean {
    return this.whyReadOnly !== null;
  }

  /** @throws NotWritableError where nothing may be written, saying why */
  ensureWritable(): void {
    if (this.whyReadOnly !== null) throw new NotWritableError(`this store is read-only: ${this.whyReadOnly}`);
  }

  /** Changes when the connection is made anew: what the one before opened is to be opened again, and goes when nobody uses it. */
  get connections(): number {
    return this.#connections;
  }

  /** So many versions were made or seen; roughly, since those of this process may count twice. */
  noteVersions(count: number): void {
    // Storage in memory lives as long as its connection.
    if (this.address.kind === "memory") return;
    this.#versions += count;
    if (this.#versions < this.#versionsPerConnection) return;
    this.#versions = 0;
    this.#connections += 1;
    this.#connection = null;
  }

  /** Null when the store is read-only and its folder does not exist (yet). */
  async connection(): Promise<Lance.Connection | null> {
    if (this.#closed) throw new ClosedError("the store was closed; open it again.");
    if (this.readOnly && this.address.kind === "folder" && !existsSync(this.address.uri)) return null;
    this.#connection ??= this.modules.lance.connect(this.address.uri, {
      readConsistencyInterval: 0,
      ...(this.#storageOptions === undefined ? {} : { storageOptions: this.#storageOptions }),
    });
    try {
      return await this.#connection;
    } catch (error) {
      this.#connection = null;
      throw openError(this.address.uri, error);
    }
  }

  async tableNames(): Promise<readonly string[]> {
    const connection = await this.connection();
    if (connection === null) return [];
    const names: string[] = [];
    for (;;) {
      const last = names.at(-1);
      const page = await connection.tableNames({ limit: 100, ...(last === undefined ? {} : { startAfter: last }) });
      names.push(...page);
      if (page.length < 100) return names;
    }
  }

  /** The table, or null when there is none. */
  async openTable(name: string): Promise<Lance.Table | null> {
    const connection = await this.connection();
    if (connection === null) return null;
    try {
      return await connection.openTable(name);
    } catch (error) {
      if (error instanceof Error && MISSING_TABLE.test(error.message)) return null;
      throw openError(this.address.uri, error);
    }
  }

  /** The table, made when it is not there. Safe when several make it at once. */
  async createTable(name: string, schema: Arrow.Schema): Promise<Lance.Table> {
    this.ensureWritable();
    const connection = await this.connection();
    if (connection === null) throw new StoreOpenError(`${this.address.uri} is not there.`);
    try {
      return await connection.createEmptyTable(name, schema, { existOk: true });
    } catch (error) {
      const existing = await this.openTable(name).catch(() => null);
      if (existing !== null) return existing;
      throw openError(this.address.uri, error);
    }
  }

  async dropTable(name: string): Promise<void> {
    const connection = await this.connection();
    await connection?.dropTable(name);
  }

  /** Keeps maintenance and writes of all processes apart; null where no folder is shared. */
  gateOf(table: string): FolderGate | null {
    return this.address.kind === "folder" ? new FolderGate(this.address.uri, table) : null;
  }

  /** Names this making of a table: another one after it was dropped and made again, by whatever process. */
  birthOf(table: string): string {
    const info = this.#look(table);
    return info === undefined ? "" : `${info.ino}:${info.birthtimeMs}`;
  }

  /** What the versions of a table look like from outside, other after each commit; null where there is no local folder. */
  looksOf(table: string): string | null {
    const info = this.#look(table, "_versions");
    return info === undefined ? null : `${info.ino}:${info.mtimeNs}:${info.ctimeNs}`;
  }

  /** The files of a table, each by its path and when it was written; null where there is no local folder. */
  async filesOf(table: string): Promise<ReadonlySet<string> | null> {
    if (this.address.kind !== "folder") return null;
    const found = await readdir(join(this.address.uri, `${table}.lance`), { recursive: true, withFileTypes: true });
    const paths = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    const written = await Promise.all(paths.map((path) => stat(path, { bigint: true })));
    // LanceDB uses no name twice, but for one small file that it writes anew with each version.
    return new Set(paths.map((path, index) => `${path} ${written[index]?.mtimeNs}`));
  }

  // At once: it takes some microseconds, where handing it to another thread and back takes a fraction of a millisecond.
  #look(table: string, part = ""): BigIntStats | undefined {
    if (this.address.kind !== "folder") return undefined;
    // LanceDB keeps a table in a folder of its name.
    return statSync(join(this.address.uri, `${table}.lance`, part), { bigint: true, throwIfNoEntry: false });
  }

  async bytes(): Promise<number> {
    return this.address.kind === "folder" ? folderBytes(this.address.uri) : 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const connection = await this.#connection?.catch(() => null);
    connection?.close();
  }
}

async function folderBytes(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = found
    .filter((file) => file.isFile())
    .map((file) =>
      stat(join(file.parentPath, file.name)).then(
        (info) => info.size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
