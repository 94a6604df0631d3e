import type {
  CostDay,
  DialogueTurn,
  EntryChange,
  EntryStatus,
  Fact,
  MaintenanceReport,
  MemoryEntry,
  MemoryFilter,
  Page,
  Scope,
  SessionScope,
  Stats,
  TableHealth,
  Upkeep,
  WindowRecord,
  WindowState,
} from "../records/index.js";
import type { Found, Scored } from "./found.js";
import type { ItemTable } from "./item-table.js";
import type { MoveReport, MoveRequest } from "./move.js";

/** An exact scope: rows of this tenant, user and agent only. Used where something is written, counted or removed. */
export interface ExactScope {
  readonly tenantId: string;
  readonly userId: string;
  readonly agentId: string;
}

/** Absent parts are stored as "", which no caller can pass: a scope part is never blank. */
export function exactScope(scope: Scope): ExactScope {
  return { tenantId: scope.tenantId ?? "", userId: scope.userId, agentId: scope.agentId ?? "" };
}

/** The exact scope that a handle writes to: what is shared bears no agent. */
export function writtenScope(scope: Pick<SessionScope, "userId" | "agentId" | "tenantId" | "sharing">): ExactScope {
  const exact = exactScope(scope);
  return scope.sharing === "shared" ? sharedScope(exact) : exact;
}

/** The memory that all agents of the user share. */
export function sharedScope(scope: ExactScope): ExactScope {
  return { ...scope, agentId: "" };
}

/** The exact scopes that a scope reads: its own and, for an agent, the one that all agents share. */
export function readScopes(scope: ExactScope): readonly ExactScope[] {
  return scope.agentId === "" ? [scope] : [scope, sharedScope(scope)];
}

/** A turn by its place in a scope. */
export type TurnName = Pick<DialogueTurn, "sessionId" | "dialogueId">;

/** How much a store holds. */
export type WholeCounts = Pick<Stats, "turns" | "entries" | "facts" | "windows" | "pendingTurns">;

/** Which statuses a read sees when the caller names none. */
export interface ReadFilter extends MemoryFilter {
  /** Only rows of these ids. */
  readonly ids?: readonly string[];
  /** Only entries that are less sure. */
  readonly belowConfidence?: number;
  /** Only rows that had not expired by then, ISO 8601. */
  readonly unexpiredAt?: string;
  /** Only entries whose time was over by then, ISO 8601. */
  readonly expiredBy?: string;
  /** Only entries that nobody mentioned, changed or found since then, ISO 8601. */
  readonly untouchedSince?: string;
  /** Only entries that were changed then or later, ISO 8601. */
  readonly changedSince?: string;
  /** Only entries that were found then or later, ISO 8601. */
  readonly accessedSince?: string;
  /** One of these must hold, too. */
  readonly anyOf?: readonly ReadFilter[];
}

/** Which rows of a list, and how many of them. Absent limit: all. */
export interface PageOptions {
  readonly filter?: ReadFilter;
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page of entries by event time, with the entry that the next one begins with. */
export interface EventPage extends Page<MemoryEntry> {
  readonly next?: MemoryEntry;
}

/** The raw log. Reads see the scope's own rows and, for a handle with an agent, those without an agent. */
export interface TurnLog {
  /** Those of the turns that the log does not hold, in their order. */
  missing<T extends TurnName>(scope: ExactScope, turns: readonly T[]): Promise<readonly T[]>;
  /** Inserts turns whose key is new (safe among processes); rows that exist stay as they are. */
  insert(scope: ExactScope, turns: readonly DialogueTurn[]): Promise<void>;
  /** The stored turns of these ids in this exact scope and session. */
  find(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly DialogueTurn[]>;
  /** As `find`, over several sessions, in the order of arrival. */
  findAll(scope: ExactScope, names: readonly TurnName[]): Promise<readonly DialogueTurn[]>;
  /** By ids over all sessions that the scope may read, in the order of arrival. */
  byIds(scope: ExactScope, dialogueIds: readonly string[]): Promise<readonly DialogueTurn[]>;
  /** The turns of this exact scope, in the order of arrival: what it may remove. */
  owned(scope: ExactScope, options?: { sessionId?: string; ids?: readonly string[] }): Promise<readonly DialogueTurn[]>;
  /** The last `limit` turns of the session that arrived before `sequence`, oldest first. */
  before(scope: ExactScope, sessionId: string, sequence: number, limit: number): Promise<readonly DialogueTurn[]>;
  /** Whether the session of any of these turns has one that arrived before it. */
  haveEarlier(scope: ExactScope, turns: readonly Pick<DialogueTurn, "sessionId" | "sequence">[]): Promise<boolean>;
  /** Turns of a session, oldest first; absent session: all that the scope may read. */
  list(scope: ExactScope, options: { sessionId?: string; filter?: MemoryFilter }): Promise<readonly DialogueTurn[]>;
  /** All turns of exactly this scope in the order of arrival, page by page. */
  pages(scope: ExactScope, size: number): AsyncIterable<readonly DialogueTurn[]>;
  /** Turns that the scope may read, in the order in which they were said, or with `descending` the newest first. */
  page(scope: ExactScope, options: PageOptions & { readonly descending?: boolean }): Promise<Page<DialogueTurn>>;
  count(scope: ExactScope): Promise<number>;
  remove(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<number>;
  removeAll(scope: ExactScope): Promise<number>;
}

export type InboxTask = "extract" | "index";

/**
 * Work still to be done, written before the log: a row holds the whole turn, so that an `add` that died between the two
 * writes is completed by the next worker.
 */
export interface Inbox {
  /** One row per turn and task, in one append. */
  push(scope: ExactScope, turns: readonly DialogueTurn[], tasks: readonly InboxTask[]): Promise<void>;
  /** Turns that wait for the task, in the order of arrival, each once; absent session: of all sessions. */
  pending(
    scope: ExactScope,
    task: InboxTask,
    options?: { sessionId?: string; limit?: number },
  ): Promise<readonly DialogueTurn[]>;
  /** The places (`turnPlace`) of those of the turns that wait. */
  waiting(scope: ExactScope, task: InboxTask, turns: readonly TurnName[]): Promise<ReadonlySet<string>>;
  /** Distinct turns that wait. */
  count(scope: ExactScope, task: InboxTask): Promise<number>;
  done(scope: ExactScope, task: InboxTask, sessionId: string, dialogueIds: readonly string[]): Promise<void>;
  /** As `done`, for turns of several sessions at once. */
  doneWith(scope: ExactScope, task: InboxTask, turns: readonly TurnName[]): Promise<void>;
  remove(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<void>;
  removeAll(scope: ExactScope): Promise<void>;
  /** Every exact scope that has rows waiting, in the whole store. */
  scopes(): Promise<readonly ExactScope[]>;
  /** How much waits for the task in each scope of the store that has any. */
  backlog(task: InboxTask): Promise<readonly WaitingTurns[]>;
}

/** Turns of one scope that wait. */
export interface WaitingTurns {
  readonly scope: ExactScope;
  readonly count: number;
  /** The `sequence` of the one that arrived last. */
  readonly newest: number;
}

/** What an extraction gave for a window. */
export type KeptItems = Pick<WindowRecord, "windowId" | "items" | "lastError" | "leaseExpiresAt">;

/** What may change of a window. */
export type WindowChange = Partial<
  Pick<WindowRecord, "state" | "attempts" | "lastError" | "items" | "leaseExpiresAt" | "owner" | "updatedAt">
>;

/** A window that is neither stored nor given up, as far as one must know to choose among them. */
export interface OpenWindow extends Pick<WindowRecord, "windowId" | "owner" | "leaseExpiresAt" | "attempts"> {
  readonly scope: ExactScope;
  /** When its state changed last, milliseconds since the epoch. */
  readonly changedAt: number;
}

/** The window ledger. */
export interface Ledger {
  /** Inserts windows whose id is new. */
  insert(scope: ExactScope, windows: readonly WindowRecord[]): Promise<void>;
  list(
    scope: ExactScope,
    options?: { states?: readonly WindowState[]; sessionId?: string; ids?: readonly string[] },
  ): Promise<readonly WindowRecord[]>;
  /** Those of the turns that a window already holds. */
  heldTurns(scope: ExactScope, turns: readonly TurnName[]): Promise<readonly TurnName[]>;
  /** All windows of exactly this scope, oldest first, page by page; a claimed one in the state that it had before. */
  pages(scope: ExactScope, size: number): AsyncIterable<readonly WindowRecord[]>;
  /** Windows of the session that already hold one of these turns. */
  holding(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly WindowRecord[]>;
  /** As `holding`, with those that have one of the turns as context only. */
  citing(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly WindowRecord[]>;
  /** Takes turns out of every window that names them, as turns or as context. */
  strike(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<void>;
  /** Puts other items in the place of those of a window, whoever holds it. */
  replaceItems(scope: ExactScope, windowId: string, items: WindowRecord["items"]): Promise<void>;
  /**
   * Takes windows for `owner` until `leaseExpiresAt`: those in `states`, or claimed under a lease that ran out, or by an
   * owner for which `isDead` answers true. Atomic among processes; returns what this owner now holds (with the state
   * that each had before: a window that was `extracted` keeps its items). With `choose`, only those are taken that it names
   * of the scope's open windows, oldest first.
   */
  claim(
    scope: ExactScope,
    request: {
      owner: string;
      now: number;
      leaseExpiresAt: number;
      states: readonly WindowState[];
      isDead?: (owner: string) => boolean;
      choose?: (open: readonly OpenWindow[]) => readonly string[];
    },
  ): Promise<readonly WindowRecord[]>;
  /** Changes one window if it still exists and `owner` holds it; false otherwise. */
  update(scope: ExactScope, windowId: string, owner: string, change: WindowChange): Promise<boolean>;
  /** As `update`, for several windows in one write; answers how many of them `owner` holds. */
  updateAll(scope: ExactScope, windowIds: readonly string[], owner: string, change: WindowChange): Promise<number>;
  /**
   * Keeps what was extracted from several windows that `owner` holds, in one write; answers the ids of those that it held.
   */
  keepItems(scope: ExactScope, owner: string, kept: readonly KeptItems[]): Promise<ReadonlySet<string>>;
  count(scope: ExactScope): Promise<{ pending: number; failed: number; stored: number }>;
  remove(scope: ExactScope, windowIds: readonly string[]): Promise<number>;
  removeAll(scope: ExactScope): Promise<number>;
  scopes(): Promise<readonly ExactScope[]>;
  /** The open windows of all scopes, oldest first. */
  backlog(): Promise<readonly OpenWindow[]>;
}

/** An entry as it is written: the record, its vector, and the words of the lexical view. */
export interface EntryRow {
  readonly entry: MemoryEntry;
  readonly vector: readonly number[];
  /** Segmented, stemmed words of the restatement, parted by spaces. */
  readonly words: string;
  /** Words of the turns around its source turns. */
  readonly contextWords: string;
  /** Words of persons and the speaker. */
  readonly personWords: string;
  /** Words of keywords, entities, topic and place. */
  readonly keywordWords: string;
  /** What happened to the entry since it was made, oldest first. */
  readonly changes: readonly EntryChange[];
}

/** An entry with what happened to it. */
export type EntryWithChanges = Pick<EntryRow, "entry" | "changes">;

/** A piece of a raw turn: the episodic layer. */
export interface ChunkRow {
  /** `${turn key}:${ordinal}`; made by the store's `chunkId`. */
  readonly chunkId: string;
  readonly dialogueId: string;
  readonly sessionId: string;
  readonly speaker: string;
  readonly role: string;
  readonly text: string;
  readonly timestamp: string;
  readonly sequence: number;
  /** null until it was embedded: the chunk is found by its words alone. */
  readonly vector: readonly number[] | null;
  readonly words: string;
  readonly contextWords: string;
  readonly personWords: string;
  /** One for each `key: value` of the turn's metadata, see `metadataHashes`. */
  readonly metadataHashes: readonly string[];
}

/**
 * Boost per full-text column; a column without one is not searched. Rows written since the last `optimize` are found as
 * well, but scored as if each boost were 1.
 */
export interface WordBoosts {
  readonly words?: number;
  readonly contextWords?: number;
  readonly personWords?: number;
  readonly keywordWords?: number;
}

/** Ways to find rows that entries and chunks share. An empty table answers []. */
export interface Searchable<T> {
  /** By cosine, best first. `floor` leaves out rows below it. */
  nearest(
    scope: ExactScope,
    vector: readonly number[],
    options: { limit: number; filter?: ReadFilter; floor?: number },
  ): Promise<readonly Found<T>[]>;
  /** By words (already segmented and stemmed, parted by spaces), best first. */
  matching(
    scope: ExactScope,
    words: string,
    options: { limit: number; filter?: ReadFilter; boosts: WordBoosts },
  ): Promise<readonly Found<T>[]>;
}

export interface EntryTable extends Searchable<MemoryEntry> {
  /** Upserts by entryId. */
  put(scope: ExactScope, rows: readonly EntryRow[]): Promise<void>;
  /** Neighbours of several vectors, in one batch where the store can. */
  nearestBatch(
    scope: ExactScope,
    vectors: readonly (readonly number[])[],
    options: { limit: number; filter?: ReadFilter; floor?: number },
  ): Promise<readonly (readonly Scored<MemoryEntry>[])[]>;
  /** By predicate, newest first by event time. */
  where(scope: ExactScope, options: { filter?: ReadFilter; limit?: number }): Promise<readonly Found<MemoryEntry>[]>;
  /** Pages in the order of creation. */
  list(scope: ExactScope, options: PageOptions): Promise<Page<MemoryEntry>>;
  /** Entries that were changed at `since` (ISO) or later, with what happened to them: pages in the order of the last change. */
  changedSince(scope: ExactScope, options: PageOptions & { readonly since: string }): Promise<Page<EntryWithChanges>>;
  /** Pages in the order of event time, the oldest or with `descending` the newest first. */
  byEvent(scope: ExactScope, options: PageOptions & { readonly descending?: boolean }): Promise<EventPage>;
  byIds(scope: ExactScope, entryIds: readonly string[]): Promise<readonly MemoryEntry[]>;
  /** Entries of which one of these turns is, or in a former version was, a source. */
  bySources(scope: ExactScope, dialogueIds: readonly string[]): Promise<readonly MemoryEntry[]>;
  /** Entries of this exact scope, in the order of creation: what it may remove. */
  owned(scope: ExactScope, filter: ReadFilter): Promise<readonly MemoryEntry[]>;
  /** Rows with vector and words, to be changed and put again. */
  rows(scope: ExactScope, entryIds: readonly string[]): Promise<readonly EntryRow[]>;
  /** Entries that the scope may read, with what happened to them. */
  histories(scope: ExactScope, entryIds: readonly string[]): Promise<readonly EntryWithChanges[]>;
  /** All entries of exactly this scope in the order of creation, with what happened to them, page by page. */
  pages(scope: ExactScope, size: number): AsyncIterable<readonly EntryWithChanges[]>;
  /** Entries that the scope may read, of every status. */
  size(scope: ExactScope): Promise<number>;
  /** Counts per status over the rows that the scope may read. */
  count(scope: ExactScope): Promise<{ [status in EntryStatus]?: number }>;
  /** Distinct persons named in the scope's active entries, commonest first. */
  persons(scope: ExactScope, limit: number): Promise<readonly string[]>;
  remove(scope: ExactScope, entryIds: readonly string[]): Promise<number>;
  removeAll(scope: ExactScope): Promise<number>;
}

export interface ChunkTable extends Searchable<ChunkRow> {
  /** Upserts by chunkId. */
  put(scope: ExactScope, rows: readonly ChunkRow[]): Promise<void>;
  /** Chunks of these turns that have no vector yet. */
  unembedded(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly ChunkRow[]>;
  byTurns(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly ChunkRow[]>;
  /** Chunks that the scope may read. */
  count(scope: ExactScope): Promise<number>;
  /** The words and, of some spread over them, the vectors of chunks that the scope may read, for statistics. */
  sample(
    scope: ExactScope,
    limits: { words: number; vectors: number },
  ): Promise<{ readonly words: readonly string[]; readonly vectors: readonly (readonly number[])[] }>;
  remove(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<number>;
  removeAll(scope: ExactScope): Promise<number>;
}

export interface FactTable {
  /** Upserts by scope, session and key. */
  put(scope: ExactScope, fact: Fact): Promise<void>;
  /** Inserts facts whose session and key are new. */
  insert(scope: ExactScope, facts: readonly Fact[]): Promise<void>;
  /** Those of the facts whose session and key are new. */
  missing(scope: ExactScope, facts: readonly Fact[]): Promise<readonly Fact[]>;
  /** All facts of exactly this scope, oldest first, expired ones too, page by page. */
  pages(scope: ExactScope, size: number): AsyncIterable<readonly Fact[]>;
  get(scope: ExactScope, sessionId: string, key: string): Promise<Fact | null>;
  /** Facts that the scope may read, oldest first. Expired ones (before `now`, ISO) are left out. */
  list(scope: ExactScope, options: { sessionId?: string; category?: string; now: string }): Promise<readonly Fact[]>;
  /** Facts of this exact scope, the expired ones too: what it may remove. */
  owned(scope: ExactScope, sessionId?: string): Promise<readonly Fact[]>;
  count(scope: ExactScope): Promise<number>;
  remove(scope: ExactScope, sessionId: string, key: string): Promise<boolean>;
  removeAll(scope: ExactScope): Promise<number>;
}

/** Salted hashes of what was forgotten for good; no text. */
export interface Tombstones {
  bury(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<void>;
  /** Which of the ids are buried. */
  buried(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** As `bury`, for what is made of turns, so that an import does not bring it back: entries and windows by id, facts by `factId`. */
  buryMade(scope: ExactScope, kind: MadeKind, ids: readonly string[]): Promise<void>;
  /** Which of the ids are buried. */
  buriedMade(scope: ExactScope, kind: MadeKind, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of the turns, of any session, that are buried. */
  buriedAmong<T extends TurnName>(scope: ExactScope, turns: readonly T[]): Promise<readonly T[]>;
}

/** What is made of turns or beside them. */
export type MadeKind = "entry" | "fact" | "window";

/** A key may be remembered anew after it was forgotten: when it was remembered first tells the two apart. */
export function factId({ sessionId, key, createdAt }: Pick<Fact, "sessionId" | "key" | "createdAt">): string {
  return JSON.stringify([sessionId, key, createdAt]);
}

/** What was begun and must be ended, kept until it is. */
export interface Journal {
  write(id: string, text: string): Promise<void>;
  all(): Promise<readonly { readonly id: string; readonly text: string }[]>;
  remove(id: string): Promise<void>;
}

/** What rewriting one table came to. */
export interface ScrubbedTable {
  readonly table: string;
  /** Former versions of the table that were dropped. */
  readonly versionsRemoved: number;
  /** Files of the table before, and how many of these are still there; null where there is no local folder. */
  readonly filesBefore: number | null;
  readonly filesKept: number | null;
}

/** Leases that exclude other processes. */
export interface Claims {
  /**
   * Takes the named claim for `owner`, or returns false when another holds it under a running lease. A claim of an owner
   * for which `isDead` answers true is taken over. Taking one's own claim again renews it.
   */
  acquire(
    name: string,
    request: { owner: string; now: number; leaseExpiresAt: number; isDead?: (owner: string) => boolean },
  ): Promise<boolean>;
  release(name: string, owner: string): Promise<void>;
}

/** The reports of maintenance, of a scope or (null) of the whole store; the last 20 of each are kept. */
export interface MaintenanceRuns {
  /** Newest first. */
  list(scope: ExactScope | null): Promise<readonly MaintenanceReport[]>;
  /** The caller holds the scope, or the upkeep of the store. */
  add(scope: ExactScope | null, report: MaintenanceReport): Promise<void>;
  removeAll(scope: ExactScope): Promise<void>;
}

/** What models cost, by day. */
export interface Costs {
  /** Oldest first. */
  list(scope: ExactScope): Promise<readonly CostDay[]>;
  /** The caller holds the scope. */
  add(scope: ExactScope, costs: readonly CostDay[]): Promise<void>;
  removeAll(scope: ExactScope): Promise<void>;
}

/** Everything that is kept on disk. Above this folder nobody sees a LanceDB or Arrow type. */
export interface MemoryStore {
  readonly turns: TurnLog;
  readonly inbox: Inbox;
  readonly ledger: Ledger;
  readonly entries: EntryTable;
  readonly chunks: ChunkTable;
  readonly facts: FactTable;
  readonly items: ItemTable;
  readonly tombstones: Tombstones;
  readonly claims: Claims;
  readonly journal: Journal;
  readonly runs: MaintenanceRuns;
  readonly costs: Costs;
  readonly readOnly: boolean;
  /** @throws NotWritableError where nothing may be written, saying why */
  ensureWritable(): void;
  /** Length of the store's vectors; null while none was ever written. */
  readonly dimension: number | null;
  /** The embedder that made them; null while none was ever written. */
  readonly embedder: string | null;
  /**
   * Whether this embedder's vectors can be compared with the store's: "no" when another made them, "soon" while they are being
   * made anew for this one.
   */
  comparesWith(embedder: string): Promise<"yes" | "soon" | "no">;
  /**
   * Makes the vectors of entries and chunks anew. What is read and written meanwhile goes to the former ones until all are there;
   * one commit then changes over. What was broken off goes on where it ended.
   */
  reembed(request: MoveRequest): Promise<MoveReport>;
  /**
   * Makes the vector tables for this length, or checks that they have it and that `embedder` made them.
   * @throws DimensionMismatchError naming both lengths, the embedders and the way out
   */
  ensureDimension(dimension: number, embedder: string): Promise<void>;
  /** As `ensureDimension`, for the vectors of items. */
  ensureItemDimension(dimension: number, embedder: string): Promise<void>;
  /** Distinct users of the store (of one tenant, or of all). */
  users(tenantId?: string): Promise<readonly { readonly userId: string; readonly tenantId: string }[]>;
  /** Every exact scope that has rows. */
  scopes(): Promise<readonly ExactScope[]>;
  /** The exact scopes that a user has rows in, one per agent. */
  scopesOf(user: { userId: string; tenantId: string }): Promise<readonly ExactScope[]>;
  /** True when this handle wrote so often to some table that folding its small files pays. */
  readonly isFragmented: boolean;
  /**
   * Folds small files and the unindexed tail, and drops versions older than `keepMs`; of all tables, or only of those that
   * this handle wrote to often. From `vectorIndexFrom` rows on, a table's vectors get an index first, and from `columnIndexFrom` on
   * its keys and scopes; the default is 10,000.
   */
  optimize(options?: {
    keepMs?: number;
    onlyFragmented?: boolean;
    vectorIndexFrom?: number;
    columnIndexFrom?: number;
  }): Promise<Upkeep>;
  /** Rewrites the tables so that removed bytes are in no file. The caller holds the maintenance claim. */
  scrub(): Promise<readonly ScrubbedTable[]>;
  /** Stands for a text, and can be made only by who has the store: an HMAC with its secret. */
  seal(text: string): Promise<string>;
  /** How well the indexes of the searched tables keep up. */
  tableHealth(): Promise<readonly TableHealth[]>;
  /** Counts over all scopes. */
  counts(): Promise<WholeCounts>;
  /** Size of the local folder; 0 elsewhere. */
  bytes(): Promise<number>;
  /** Drops every table of this store. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
