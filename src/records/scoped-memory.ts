import type { BaseMessage } from "@langchain/core/messages";
import type { EntryKind, EntryStatus, Fact, MemoryEntry } from "./entry.js";
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
import type { DialogueTurn, TurnInput } from "./turn.js";

/** A turn, or anything LangChain takes for a message: an instance, `{ role, content }`, `["human", "text"]`. */
export type AddInput = TurnInput | BaseMessage | { role: string; content: unknown } | readonly [string, string];

export interface FlushOptions {
  /** Also takes up windows whose tries were used up. */
  readonly retryFailed?: boolean;
  readonly signal?: AbortSignal;
}

export interface SearchOptions {
  /** How many hits at most; default: the plan's depth (3 to 20). */
  readonly k?: number;
  readonly filter?: MemoryFilter;
  /** Default: all. */
  readonly views?: readonly View[];
  /** Recent turns of the conversation, which say what "that" in the question means. */
  readonly recent?: readonly AddInput[];
  /** What was believed at this time, ISO 8601. */
  readonly asOf?: string;
  /** Default "relevance". */
  readonly order?: "relevance" | "newest" | "oldest";
  /** "auto" (default): a rule decides whether the question needs the model. */
  readonly planning?: "auto" | "always" | "never";
  /** Cuts the hits so that their texts fit. */
  readonly maxTokens?: number;
  /** Also finds archived, superseded and done entries. */
  readonly includeArchived?: boolean;
  readonly signal?: AbortSignal;
}

export interface ContextOptions extends SearchOptions {
  /** Budget of the whole block, frame included. Default 900. */
  readonly maxTokens?: number;
}

export interface ListOptions {
  readonly kind?: EntryKind | readonly EntryKind[];
  readonly status?: EntryStatus | readonly EntryStatus[];
  readonly filter?: MemoryFilter;
  /** Page size; absent: everything in one page. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface TurnsOptions {
  /** Turns at most, 1 to 10,000. Default 40. */
  readonly limit?: number;
}

export interface ForgetOptions {
  readonly ids?: readonly string[];
  readonly filter?: MemoryFilter;
  readonly all?: true;
  /** Also removes the bytes from every file and old version. */
  readonly purge?: boolean;
  /** Says what would go, and removes nothing. */
  readonly dryRun?: boolean;
}

export interface RememberOptions {
  readonly category?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
}

export interface RecallOptions {
  readonly category?: string;
  /** Default "current": the handle's session. */
  readonly sessions?: "current" | "all";
}

/** Exact key-values of a scope. */
export interface Facts {
  remember(key: string, value: string, options?: RememberOptions): Promise<Fact>;
  /** Facts whose key matches: exact text, or with `*` for any run of characters. Absent: all. */
  recall(pattern?: string, options?: RecallOptions): Promise<readonly Fact[]>;
  list(options?: RecallOptions): Promise<readonly Fact[]>;
  /** True when there was such a fact in the handle's session. */
  forget(key: string): Promise<boolean>;
}

/** The handle that all doors stand on: everything one user can do. */
export interface ScopedMemory {
  readonly scope: SessionScope;
  add(input: AddInput | readonly AddInput[]): Promise<AddReceipt>;
  flush(options?: FlushOptions): Promise<WriteReport>;
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
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
  context(query: string, options?: ContextOptions): Promise<string>;
  list(options?: ListOptions): Promise<Page<MemoryEntry>>;
  get(id: string): Promise<MemoryEntry | null>;
  /** The last turns of the handle's session as they were said, oldest first. */
  turns(options?: TurnsOptions): Promise<readonly DialogueTurn[]>;
  forget(options: ForgetOptions): Promise<ForgetReceipt>;
  stats(): Promise<Stats>;
  readonly facts: Facts;
}
