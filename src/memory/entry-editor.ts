import type { NamedEmbedder } from "../graph/index.js";
import {
  type ChangeCause,
  EntryConflictError,
  EntryNotFoundError,
  type MemoryEntry,
  withChange,
} from "../records/index.js";
import type { EntryRow, ExactScope, MemoryStore } from "../store/index.js";
import { rewrittenRow } from "./rewritten-row.js";
import { activeTwin } from "./twin.js";
import { vectorOf } from "./vector-of.js";

/** What corrections are made with. */
export interface EditContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  /** What may be read, beyond `scope`. */
  readonly reads: ExactScope;
  readonly embedder: NamedEmbedder;
  readonly clock: () => number;
}

/** What a correction notes in the history. */
export type HandCause = Pick<ChangeCause, "op" | "reason"> & Partial<Pick<ChangeCause, "related">>;

/** No entry of this id can be read. */
export function notFound(id: string): EntryNotFoundError {
  return new EntryNotFoundError(
    `there is no entry ${JSON.stringify(id)} in this scope; list() and search() give the ids.`,
  );
}

/** Reads and rewrites rows of one exact scope by hand. The caller holds the scope. */
export class EntryEditor {
  readonly #context: EditContext;
  readonly #now: string;

  /** Made anew for each correction: all that it writes bears one time. */
  constructor(context: EditContext) {
    this.#context = context;
    this.#now = new Date(context.clock()).toISOString();
  }

  get now(): string {
    return this.#now;
  }

  /** @throws EntryNotFoundError when this scope has none that it may change */
  async row(id: string): Promise<EntryRow> {
    const { store, scope, reads } = this.#context;
    const [row] = await store.entries.rows(scope, [id]);
    if (row !== undefined) return row;
    const [readable] = await store.entries.byIds(reads, [id]);
    if (readable === undefined) throw notFound(id);
    const whose =
      scope.agentId === ""
        ? 'is private to this agent; change it with a handle without sharing: "shared"'
        : 'is shared by all agents; change it with a handle without an agentId, or with sharing: "shared"';
    throw new EntryNotFoundError(`the entry ${JSON.stringify(id)} ${whose}.`);
  }

  /** Those of these ids that the scope may change. */
  rows(ids: readonly string[]): Promise<readonly EntryRow[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.#context.store.entries.rows(this.#context.scope, ids);
  }

  /**
   * The row with these changes, its vector and words made anew where its text is another; the same row when nothing
   * differs.
   * @throws EntryConflictError when another active entry says the same
   */
  async changed(row: EntryRow, change: Partial<MemoryEntry>, cause: HandCause): Promise<EntryRow> {
    const entry: MemoryEntry = { ...row.entry, ...change, updatedAt: this.#now };
    const changes = withChange(row.changes, row.entry, entry, {
      related: [],
      ...cause,
      at: this.#now,
      by: "user",
      turnIds: [],
    });
    if (changes === row.changes) return row;
    const { embedder, store } = this.#context;
    const isReworded = entry.losslessRestatement !== row.entry.losslessRestatement;
    const state = isReworded ? { ...entry, embeddingModel: embedder.name } : entry;
    const rewritten = await rewrittenRow(row, state, (text) => vectorOf(text, embedder, store));
    const result = { ...rewritten, changes };
    if (entry.status === "active" && (isReworded || row.entry.status !== "active")) await this.#refuseTwins(result);
    return result;
  }

  /** In one commit. */
  async put(rows: readonly EntryRow[]): Promise<void> {
    if (rows.length > 0) await this.#context.store.entries.put(this.#context.scope, rows);
  }

  async #refuseTwins(row: EntryRow): Promise<void> {
    const { store, scope } = this.#context;
    const twin = await activeTwin(store, scope, row);
    if (twin === null) return;
    throw new EntryConflictError(
      `the active entry ${twin.entryId} says the same already; nothing was changed. Forget or archive one of the two.`,
      [twin.entryId],
    );
  }
}
