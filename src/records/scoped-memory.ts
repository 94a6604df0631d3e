import type { Callbacks } from "@langchain/core/callbacks/manager";
import type { BaseMessage, StoredMessage } from "@langchain/core/messages";
import type { EntryPatch, Explanation, ReasonOptions, RestoreOptions, Review, UpdateOptions } from "./corrections.js";
import type { EntryKind, EntryStatus, Fact, MemoryEntry } from "./entry.js";
import type { Growth, Health, LoggedTurn, LogOptions } from "./inspection.js";
import type { MaintainOptions, Maintenance, MaintenanceReport } from "./maintenance.js";
import type { ExportOptions, ImportOptions, ImportReceipt, ImportSource } from "./moves.js";
import type { ChangesOptions, RecentChange } from "./recent-changes.js";
import type {
  AddReceipt,
  Answer,
  ForgetReceipt,
  MemoryFilter,
  Page,
  SearchResult,
  Stats,
  View,
  WriteReport,
} from "./results.js";
import type { SessionScope } from "./scope.js";
import type { TimelineItem, TimelineOptions } from "./timeline.js";
import type { DialogueTurn, TurnInput } from "./turn.js";
import type { EntryVersion } from "./versions.js";

/** CALMem's largest block, in tokens: what a prompt without an own budget can take. */
export const DEFAULT_CONTEXT_TOKENS = 900;

/** A turn, or anything LangChain takes for a message: an instance, a stored one, `{ role, content }`, `["human", "text"]`. */
export type AddInput =
  | TurnInput
  | BaseMessage
  | StoredMessage
  | { role: string; content: unknown }
  | readonly [string, string];

/** How far a `flush` has come. */
export interface FlushProgress {
  /** Windows that it has taken up so far. */
  readonly windows: number;
  /** Those of which a model or the rules have made items. */
  readonly extracted: number;
  /** Those whose items are stored. */
  readonly stored: number;
  /** Those that failed, and stay pending or are told as failed. */
  readonly failed: number;
}

/** Options of `flush`. */
export interface FlushOptions {
  /** Also takes up windows whose tries were used up. Default false. */
  readonly retryFailed?: boolean;
  /** Told of each step of this call's own run; not of what runs by itself in the background. */
  readonly onProgress?: (progress: FlushProgress) => void;
  /** Aborts the run; what is not stored stays pending. */
  readonly signal?: AbortSignal;
}

/** Options of `search`, `ask` and `streamAsk`. */
export interface SearchOptions {
  /** Hits at most, 1 to 1,000. Default: the plan's depth, 3 to 20. */
  readonly k?: number;
  /** Narrows what is found. Default: everything of the scope. */
  readonly filter?: MemoryFilter;
  /** Default: all. */
  readonly views?: readonly View[];
  /** Recent turns of the conversation, which say what "that" in the question means. */
  readonly recent?: readonly AddInput[];
  /** What was believed at this time, ISO 8601. Default: now. */
  readonly asOf?: string;
  /** Default "relevance". */
  readonly order?: "relevance" | "newest" | "oldest";
  /** "auto" (default): a rule decides whether the question needs the model. */
  readonly planning?: "auto" | "always" | "never";
  /** Tokens, 0 or more: cuts the hits so that their texts fit. Default: no cap. */
  readonly maxTokens?: number;
  /** Also finds archived, superseded and done entries. Default false. */
  readonly includeArchived?: boolean;
  /** Aborts the search. */
  readonly signal?: AbortSignal;
  /** Who hears of the steps within, so that they stand in a trace. Default: nobody, whatever surrounds the call. */
  readonly callbacks?: Callbacks;
}

/** Options of `context`. */
export interface ContextOptions extends SearchOptions {
  /** Tokens of the whole block, frame included. Default 900, CALMem's largest block. */
  readonly maxTokens?: number;
}

/** Options of `list`. */
export interface ListOptions {
  /** One kind, or several. Default: all. */
  readonly kind?: EntryKind | readonly EntryKind[];
  /** One status, or several. Default: "active". */
  readonly status?: EntryStatus | readonly EntryStatus[];
  /** Narrows the list further. */
  readonly filter?: MemoryFilter;
  /** What was believed at this time, ISO 8601. Default: now. */
  readonly asOf?: string;
  /** Entries of a page, 1 or more. Default: everything in one page. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly cursor?: string;
}

/** Options of `turns`. */
export interface TurnsOptions {
  /** Turns at most, 1 to 10,000. Default 40. */
  readonly limit?: number;
}

/** What to forget: exactly one of `ids`, `filter`, `all` and `query`. */
export interface ForgetOptions {
  /** Ids of entries or of turns, or of facts as a hit has them. */
  readonly ids?: readonly string[];
  /** With `dryRun: true` only: lists in `candidates` what the query may mean. Nothing is forgotten by a query alone. */
  readonly query?: string;
  /** Candidates for a query at most, 1 to 1,000. Default 20. */
  readonly k?: number;
  /** Entries that match; with `sessionId` alone, the session with its turns and facts. An empty filter is refused. */
  readonly filter?: MemoryFilter;
  /** Everything of the scope. */
  readonly all?: true;
  /** Also removes the bytes from every file and old version. Default false. */
  readonly purge?: boolean;
  /** Says what would go, and removes nothing. Default false. */
  readonly dryRun?: boolean;
}

/** Options of `facts.remember`. */
export interface RememberOptions {
  /** Groups facts. Default: the one that the key has, else "general". */
  readonly category?: string;
  /** After this the fact is not seen, ISO 8601. Default: it stays. */
  readonly expiresAt?: string;
}

/** Options of `facts.recall` and `facts.list`. */
export interface RecallOptions {
  /** Only facts of this category. */
  readonly category?: string;
  /** Default "current": the handle's session. */
  readonly sessions?: "current" | "all";
}

/** Exact key-values of a scope. */
export interface Facts {
  /**
   * Keeps a value under a key of the handle's session; a former value goes into its history.
   * @throws InvalidInputError for a blank key or a wrong option
   * @example await memory.facts.remember("home.city", "Graz", { category: "home" })
   */
  remember(key: string, value: string, options?: RememberOptions): Promise<Fact>;
  /** Facts whose key matches: exact text, or with `*` for any run of characters. Absent: all. */
  recall(pattern?: string, options?: RecallOptions): Promise<readonly Fact[]>;
  /** All facts, by default those of the handle's session. */
  list(options?: RecallOptions): Promise<readonly Fact[]>;
  /** True when there was such a fact in the handle's session. */
  forget(key: string): Promise<boolean>;
}

/** The handle that all doors stand on: everything one user can do. */
export interface ScopedMemory {
  /** Whose memory it is, and the session that new turns are labelled with. */
  readonly scope: SessionScope;
  /**
   * Accepts turns or messages: they are in the log when this resolves.
   * @throws InvalidInputError, DuplicateTurnError before anything of the call is stored
   */
  add(input: AddInput | readonly AddInput[]): Promise<AddReceipt>;
  /** Makes facts of what is pending. Failures are in the report; the turns stay. */
  flush(options?: FlushOptions): Promise<WriteReport>;
  /** Finds what answers a question: entries, raw turns and facts, best first. Blank finds nothing. */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Answers a question from memory alone, with what proves it, or abstains. */
  ask(question: string, options?: SearchOptions): Promise<Answer>;
  /**
   * As `ask`, in pieces, as the model writes them. The pieces joined are the answer; what proves it, its confidence and its
   * cost are in the `Answer` that the generator returns at its end, which `for await` drops and `next()` gives. An abstention
   * yields nothing and returns its reason. An answerer that cannot stream yields its answer as one piece, and so do the rules
   * that stand in for a model that failed before its first piece.
   *
   * The question is asked when the first piece is asked for. Ending the loop early stops the model; `options.signal` does so
   * from outside.
   * @param question blank: an abstention
   * @param options as for `search`; `k` defaults to the plan's depth (3 to 20)
   * @throws InvalidInputError for an unknown or wrong option, ClosedError after `close`
   * @throws SimpleMemError when the model fails after the first piece: a second try would say it twice
   * @throws the signal's reason when it aborts
   * @example
   * const stream = memory.streamAsk("Where does Ilse live?");
   * let next = await stream.next();
   * for (; next.done !== true; next = await stream.next()) process.stdout.write(next.value);
   * console.log(next.value.citations);
   */
  streamAsk(question: string, options?: SearchOptions): AsyncGenerator<string, Answer>;
  /** What is known about a query, as a fenced block for a prompt; "" when nothing fits. */
  context(query: string, options?: ContextOptions): Promise<string>;
  /** Entries in the order of creation, page by page. */
  list(options?: ListOptions): Promise<Page<MemoryEntry>>;
  /**
   * What has changed since a time: entries that were added, changed, superseded, carried out or archived, in the order of their
   * last change, each with how it was before and what was done to it. What was forgotten is not told. Times are those of storing,
   * by the clock: a chat of last year that was imported today has changed today.
   * @param options `since` names the time; `limit` and `cursor` the page: an entry that changes while pages are read comes again
   * @throws InvalidInputError for an unknown or wrong option, ClosedError
   * @example
   * const { items } = await memory.changes({ since: "2025-06-01" });
   * for (const { what, entry, before } of items) console.log(what, before?.losslessRestatement, "→", entry.losslessRestatement);
   */
  changes(options: ChangesOptions): Promise<Page<RecentChange>>;
  /**
   * Entries about one person, thing or topic in the order of what happened, each with what links it to the one after it: people and
   * things that both name, the topic, the session.
   * @param options at least one of `person`, `entity` and `topic`; `limit` and `cursor` name the page
   * @throws InvalidInputError when none of the three is given, or for an unknown or wrong option; ClosedError
   * @example
   * const { items } = await memory.timeline({ entity: "Kite & Sons", after: "2025-01-01" });
   * for (const { at, entry, link } of items) console.log(at, entry.losslessRestatement, link?.persons);
   */
  timeline(options: TimelineOptions): Promise<Page<TimelineItem>>;
  /**
   * The turns of all sessions in the order in which they were said, each with the facts it became and how far it has come.
   * @param options narrow the turns and name the page
   * @throws InvalidInputError for an unknown or wrong option, ClosedError
   * @example
   * const { items, cursor } = await memory.log({ order: "newest", limit: 20 });
   * for (const { turn, entries } of items) console.log(turn.content, entries.map((entry) => entry.losslessRestatement));
   */
  log(options?: LogOptions): Promise<Page<LoggedTurn>>;
  /**
   * How the memory grew, day by day: turns, facts, the tokens of both, and what models cost. It reads every turn and entry of the
   * scope once.
   * @throws ClosedError
   * @example
   * const { days, costs } = await memory.growth();
   * console.log(days.map(({ day, turnTokens, currentTokens }) => [day, turnTokens - currentTokens]), costs.at(-1)?.modelCalls);
   */
  growth(): Promise<Growth>;
  /**
   * What waits, what failed and why, and whether the indexes cover every row.
   * @throws ClosedError
   * @example
   * const { windows, tables } = await memory.health();
   * console.log(windows.filter(({ state }) => state === "failed").map(({ lastError }) => lastError), tables);
   */
  health(): Promise<Health>;
  /** One entry by its id, in any status; null when this scope has none. */
  get(id: string): Promise<MemoryEntry | null>;
  /** The last turns of the handle's session as they were said, oldest first. */
  turns(options?: TurnsOptions): Promise<readonly DialogueTurn[]>;
  /**
   * Changes what the patch names and nothing else; the version before stays in the history. Vector and index words are made
   * anew from a new text. It waits for a window that is being consolidated, so that both changes are kept.
   * @param id of an entry, in any status, which this scope may change: not one that all agents share, for a handle of one
   * @param patch what to set; lists are replaced, `metadata` and `attributes` joined key by key
   * @returns the entry as it is now
   * @throws InvalidInputError for an unknown field, a value that does not fit, or an empty patch
   * @throws EntryNotFoundError for an unknown id
   * @throws EntryConflictError when another active entry says the same words, or it has another version than `ifVersion`
   * @throws NotWritableError, ClosedError, and what the embedder throws; nothing is changed then
   * @example
   * await memory.update(id, { text: "Ilse lives in Porthaven.", location: "Porthaven" }, { reason: "she moved" });
   */
  update(id: string, patch: EntryPatch, options?: UpdateOptions): Promise<MemoryEntry>;
  /**
   * Every version of an entry, oldest first: when, what changed, why, and by whom (a turn through a model or a rule, or a
   * user). The last one is the entry as it is.
   * @throws EntryNotFoundError for an unknown id, ClosedError
   * @example
   * for (const { version, op, by, at, entry } of await memory.history(id)) console.log(version, op, by, at, entry.losslessRestatement);
   */
  history(id: string): Promise<readonly EntryVersion[]>;
  /**
   * Makes what an entry said in a former version current again, as a new version: a history is never rewritten. An entry that
   * was superseded is active again when what took its place is gone.
   * @param version from 1 to the number of versions
   * @param options with `force` it also takes its place back from the entry that superseded it, which is then history
   * @throws EntryNotFoundError for an unknown id, InvalidInputError for a version that it does not have
   * @throws EntryConflictError naming the entry that superseded it, or one that says the same; nothing is changed
   * @example await memory.restore(id, 1, { reason: "the correction was wrong" });
   */
  restore(id: string, version: number, options?: RestoreOptions): Promise<MemoryEntry>;
  /**
   * Why an entry says what it says: the turns that prove it, who made it of them, what was done to it since, and whether the
   * turns bear its words out.
   * @throws EntryNotFoundError for an unknown id, ClosedError
   * @example
   * const { sources, guards } = await memory.why(id);
   * console.log(sources.map(({ speaker, content, timestamp }) => [speaker, content, timestamp]), guards);
   */
  why(id: string): Promise<Explanation>;
  /**
   * Marks an entry as not to be archived by itself; `filter: { pinned: true }` finds it.
   * @throws EntryNotFoundError for an unknown id
   * @example await memory.pin(id);
   */
  pin(id: string, options?: ReasonOptions): Promise<MemoryEntry>;
  /**
   * Takes the mark of `pin` away.
   * @throws EntryNotFoundError for an unknown id
   * @example await memory.unpin(id);
   */
  unpin(id: string, options?: ReasonOptions): Promise<MemoryEntry>;
  /** Entries that a person should look at: contradicted, doubted, or from a source that is not trusted. */
  readonly review: Review;
  /**
   * Removes entries, turns and facts of this scope for good.
   * @throws InvalidInputError unless exactly one of `ids`, `filter` and `all` is given
   */
  forget(options: ForgetOptions): Promise<ForgetReceipt>;
  /**
   * Everything of exactly this scope as JSON Lines: turns, windows, entries with their histories, and facts; a handle without
   * an agent gives what all agents share. Vectors are not among it, and neither is what was forgotten. One page of rows is held at a
   * time, however many there are; what changes meanwhile may be in it or not.
   * @returns lines, each with its line break
   * @throws InvalidInputError for a wrong option, ClosedError, the signal's reason
   * @example
   * const [{ createWriteStream }, { pipeline }] = await Promise.all([import("node:fs"), import("node:stream/promises")]);
   * await pipeline(memory.export(), createWriteStream("ilse.jsonl"));
   */
  export(options?: ExportOptions): AsyncGenerator<string>;
  /**
   * Takes an export in, into this handle's scope, whosever it was. What the scope has stays as it is, and what was forgotten in
   * it stays away: ids decide. Importing the same again, or again after a break, gives the same. Vectors are made by this
   * store's embedder, in batches.
   * @param source lines or pieces of them: `memory.export()`, a file's stream, an array
   * @throws ImportError naming a line that does not fit, or that the export was cut off; the batches before are stored
   * @throws InvalidInputError for a wrong option, NotWritableError, ClosedError, DimensionMismatchError, the signal's reason,
   * and what the embedder or the source throws
   * @example
   * const { createReadStream } = await import("node:fs");
   * const { turns, entries } = await memory.import(createReadStream("ilse.jsonl"));
   */
  import(source: ImportSource, options?: ImportOptions): Promise<ImportReceipt>;
  /**
   * Maintains the scope: what has expired, and what nobody mentioned or found for long, goes to the archive; what was stored
   * twice is joined; what is said again and again becomes one pattern; small files are folded. Conversations may go on
   * meanwhile. A step that fails is told in the report, and the others go on.
   * @returns the report, which is stored too: `maintenance.reports` gives the last ones
   * @throws InvalidInputError for a wrong option, NotWritableError, ClosedError, the signal's reason when it aborts
   * @example
   * const { expired, decay, duplicates, clusters, alerts } = await memory.maintain();
   */
  maintain(options?: MaintainOptions): Promise<MaintenanceReport>;
  /** What maintenance did, and how to take a pattern apart. */
  readonly maintenance: Maintenance;
  /** Counts of this scope, and what this process has spent. */
  stats(): Promise<Stats>;
  /** Exact key-values beside what was said. */
  readonly facts: Facts;
}
