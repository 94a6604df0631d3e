import type { DialogueTurn, Fact, MemoryEntry, WindowRecord } from "../records/index.js";
import type { ChunkRow, EntryRow, ExactScope, InboxTask, MadeKind, MemoryStore, TurnName } from "./store.js";

/** An entry with the columns that do not say what its record says. */
export interface InspectedEntry extends EntryRow {
  readonly differing: readonly string[];
}

/** What the rows of each table hold. */
export interface InspectedRows {
  readonly turns: DialogueTurn;
  readonly inbox: { readonly task: InboxTask; readonly turn: DialogueTurn };
  readonly ledger: WindowRecord;
  readonly entries: InspectedEntry;
  readonly chunks: ChunkRow;
  readonly facts: Fact;
  readonly tombstones: { readonly kind: string };
  readonly claims: { readonly owner: string; readonly leaseExpiresAt: number };
  readonly meta: { readonly value: string };
  readonly items: { readonly json: string };
  readonly item_vectors: { readonly vector: readonly number[] };
}

export type InspectedTable = keyof InspectedRows;

/** A row as it lies in the store, whosever it is. */
export interface HeldRow<T> {
  readonly key: string;
  /** The key under which a row of this scope and these ids should lie. */
  readonly ownKey: string;
  /** Null in tables that belong to nobody. */
  readonly scope: ExactScope | null;
  /** Ids by which a person knows it. */
  readonly ids: readonly string[];
  readonly value: T;
}

/** A row that holds something which this library never writes. */
export interface DamagedRow {
  readonly key: string;
  readonly damage: string;
}

/** Rows of one read, those that can be read apart from those that cannot. */
export interface InspectedPage<T> {
  readonly held: readonly HeldRow<T>[];
  readonly damaged: readonly DamagedRow[];
}

/** A turn of a scope. */
export interface ScopedTurn extends TurnName {
  readonly scope: ExactScope;
}

/** An entry, a fact or a window of a scope, by the id under which it would be buried. */
export interface ScopedId {
  readonly scope: ExactScope;
  readonly id: string;
}

/** A table, and what is wrong with it as a whole. */
export interface TableState {
  readonly table: InspectedTable;
  readonly rows: number;
  /** Whether it is there. Tables with vectors are made with the first vector. */
  readonly exists: boolean;
  /** Length of its vectors; null when it has none. */
  readonly dimension: number | null;
  /** Why it cannot be opened or counted; null when it can. */
  readonly error: string | null;
}

/** What is noted of the store as a whole. */
export interface StoreNotes {
  readonly schemaVersion: number | null;
  readonly knownVersion: number;
  /** Of entries and turns, and of items; null while no vector was ever written. */
  readonly memoryVectors: { readonly dimension: number; readonly embedder: string } | null;
  readonly itemVectors: { readonly dimension: number; readonly embedder: string } | null;
  /** Tables that no move fills and nobody reads. */
  readonly strays: readonly string[];
  /** Whether vectors are being made anew. */
  readonly isMoving: boolean;
}

/**
 * The rows of the whole store as they lie there, of all scopes, for who checks them. It writes nothing, and hands nothing to anyone
 * who reads memory.
 */
export interface Inspection {
  notes(): Promise<StoreNotes>;
  tables(): Promise<readonly TableState[]>;
  /**
   * Every row of a table, page by page. When somebody cleans the files away meanwhile it begins anew, so that a row may be seen twice.
   * @throws what LanceDB says when the table cannot be read
   */
  scan<K extends InspectedTable>(
    table: K,
    visit: (page: InspectedPage<InspectedRows[K]>) => Promise<void>,
  ): Promise<void>;
  /** The rows of these keys, as they are now. */
  byKeys<K extends InspectedTable>(table: K, keys: readonly string[]): Promise<InspectedPage<InspectedRows[K]>>;
  /** Those of the keys that the table has. */
  existing(table: InspectedTable, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keys that several rows have. Memory: 8 bytes for each row, of at most four million at once. */
  twice(table: InspectedTable): Promise<readonly string[]>;
  /** How many rows have each of these keys. */
  counts(table: InspectedTable, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Turn keys (`turnKey`) of those of the turns that wait for a task. */
  waiting(turns: readonly ScopedTurn[], task: InboxTask): Promise<ReadonlySet<string>>;
  /** Turn keys of those of the turns that are new in some window. */
  windowed(turns: readonly ScopedTurn[]): Promise<ReadonlySet<string>>;
  /** Records of entries by the keys of their rows (`entryKey`), without vectors. */
  records(keys: readonly string[]): Promise<ReadonlyMap<string, MemoryEntry>>;
  /** Turn keys of those of the turns that were forgotten. */
  buriedTurns(turns: readonly ScopedTurn[]): Promise<ReadonlySet<string>>;
  /** Those of what is made of turns, or beside them, that were forgotten: as `scopedIdKey` names them. */
  buriedMade(kind: MadeKind, made: readonly ScopedId[]): Promise<ReadonlySet<string>>;
  /** Whether somebody holds the claim of this name under a running lease, and is not known to be dead. */
  isClaimed(name: string, now: number, isDead: (owner: string) => boolean): Promise<boolean>;
}

/** A store that can be checked. */
export interface InspectableStore extends MemoryStore {
  /** The rows of all scopes as they lie there. */
  readonly inspection: Inspection;
}
