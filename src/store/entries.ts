import type { EntryStatus, MemoryEntry, Page } from "../records/index.js";
import { countByStatus } from "./counts.js";
import { beyond, cursorAt, orderOf, type PageOrder } from "./cursor.js";
import { Digests } from "./digests.js";
import { changesIn, ENTRY_RECORD_COLUMNS, entryCells, entryOf, entryRowOf } from "./entry-cells.js";
import { Expiries } from "./expiries.js";
import {
  all,
  compares,
  equals,
  exactly,
  type FilterColumns,
  holdsAny,
  matches,
  oneOf,
  type Predicate,
  readableBy,
} from "./filter.js";
import type { Found, IndexedText, Scored } from "./found.js";
import { distinctScopes } from "./keys.js";
import { pagesOf } from "./pages.js";
import { milliseconds, type Row } from "./row.js";
import type { FoundRow } from "./row-cache.js";
import { RowIds, type Within } from "./row-ids.js";
import { SCOPE_COLUMNS } from "./schema.js";
import { SearchableRows } from "./searchable-rows.js";
import { indexedText } from "./searching.js";
import { SourceDigest } from "./source-digest.js";
import type {
  EntryRow,
  EntryTable,
  EntryWithChanges,
  EventPage,
  ExactScope,
  PageOptions,
  ReadFilter,
  WordBoosts,
} from "./store.js";
import type { StoreTable } from "./table.js";
import { checkVector, type VectorSpace } from "./vectors.js";

const FILTER: FilterColumns = {
  ids: ["entry_id"],
  time: "event_at",
  kind: "kind",
  status: "status",
  topic: "topic_folded",
  location: "location_folded",
  persons: "persons_folded",
  entities: "entities_folded",
  metadata: "metadata_hashes",
  speaker: "speaker_folded",
  trust: { column: "trust", valuesOf: (trust) => [trust] },
  pinned: "pinned",
  confidence: "confidence",
  validity: { from: "valid_from", to: "valid_to" },
  upkeep: { expires: "expires_at", changed: "updated_at", accessed: "last_accessed_at" },
};

/** Entries that were written at once go by their times. */
const CREATED: PageOrder = { columns: ["created_at", "event_at"], key: "row_key" };
const CHANGED: PageOrder = { columns: ["updated_at", "event_at"], key: "row_key" };
const HAPPENED: PageOrder = { columns: ["event_at", "created_at"], key: "row_key" };
const CREATION = orderOf(CREATED);
const NEWEST_EVENT = orderOf({ ...HAPPENED, descending: true });

/** Up to so many rows of a scope, their turns are kept in memory: no index helps LanceDB to look into lists. */
const KEPT_SOURCES = 20_000;

interface NearestOptions {
  limit: number;
  filter?: ReadFilter;
  floor?: number;
}

interface KnownEntry {
  readonly row: MemoryEntry;
  readonly index: IndexedText;
}

const KNOWN_COLUMNS: readonly string[] = [...ENTRY_RECORD_COLUMNS, "words", "context_words", "vector"];

const EXPORTED_COLUMNS: readonly string[] = [...ENTRY_RECORD_COLUMNS, "changes", "created_at", "event_at", "entry_id"];

function knownEntry(row: Row): KnownEntry {
  return { row: entryOf(row), index: indexedText(row) };
}

function asFound({ value, score }: FoundRow<KnownEntry>): Found<MemoryEntry> {
  return { row: value.row, index: value.index, score };
}

/** The entries over LanceDB. */
export class LanceEntryTable implements EntryTable {
  readonly #table: StoreTable;
  readonly #space: () => Promise<VectorSpace | null>;
  readonly #rows: SearchableRows<KnownEntry>;
  readonly #ids: RowIds;
  readonly #sources: Digests<SourceDigest>;
  readonly #expiries: Expiries;

  /** @param space what the vectors are; null while none was ever written */
  constructor(table: StoreTable, space: () => Promise<VectorSpace | null>) {
    this.#table = table;
    this.#space = space;
    this.#rows = new SearchableRows(table, space, KNOWN_COLUMNS, knownEntry);
    this.#ids = new RowIds(table);
    this.#sources = new Digests(table, this.#ids, () => new SourceDigest("source_ids", CREATED), KEPT_SOURCES);
    this.#expiries = new Expiries(table);
  }

  async put(scope: ExactScope, rows: readonly EntryRow[]): Promise<void> {
    const space = await this.#space();
    if (space !== null) for (const row of rows) checkVector(row.vector, space);
    await this.#table.upsert(rows.map((row) => entryCells(scope, row)));
  }

  async nearest(
    scope: ExactScope,
    vector: readonly number[],
    options: NearestOptions,
  ): Promise<readonly Found<MemoryEntry>[]> {
    const within = await this.#within(scope, options.filter);
    return (await this.#rows.nearest(vector, within, options)).map(asFound);
  }

  async nearestBatch(
    scope: ExactScope,
    vectors: readonly (readonly number[])[],
    options: NearestOptions,
  ): Promise<readonly (readonly Scored<MemoryEntry>[])[]> {
    const within = await this.#within(scope, options.filter);
    const lists = await this.#rows.nearestBatch(vectors, within, options);
    return lists.map((list) => list.map(asFound));
  }

  async matching(
    scope: ExactScope,
    words: string,
    options: { limit: number; filter?: ReadFilter; boosts: WordBoosts },
  ): Promise<readonly Found<MemoryEntry>[]> {
    const within = await this.#within(scope, options.filter);
    return (await this.#rows.matching(words, options.boosts, within, options.limit)).map(asFound);
  }

  async where(
    scope: ExactScope,
    options: { filter?: ReadFilter; limit?: number },
  ): Promise<readonly Found<MemoryEntry>[]> {
    const { limit, filter } = options;
    if (limit !== undefined && limit < 1) return [];
    return (await this.#rows.ordered(await this.#where(scope, filter), NEWEST_EVENT, limit)).map(asFound);
  }

  async list(scope: ExactScope, options: PageOptions): Promise<Page<MemoryEntry>> {
    const { items, cursor } = await this.#page(scope, CREATED, ENTRY_RECORD_COLUMNS, options);
    return { items: items.map(entryOf), ...(cursor === undefined ? {} : { cursor }) };
  }

  async changedSince(
    scope: ExactScope,
    options: PageOptions & { readonly since: string },
  ): Promise<Page<EntryWithChanges>> {
    const since = compares("updated_at", ">=", milliseconds(options.since));
    const columns = [...ENTRY_RECORD_COLUMNS, "changes"];
    const { items, cursor } = await this.#page(scope, CHANGED, columns, options, since);
    const found = items.map((row) => ({ entry: entryOf(row), changes: changesIn(row) }));
    return { items: found, ...(cursor === undefined ? {} : { cursor }) };
  }

  async byEvent(scope: ExactScope, options: PageOptions & { readonly descending?: boolean }): Promise<EventPage> {
    const order = { ...HAPPENED, descending: options.descending ?? false };
    const { items, cursor, next } = await this.#page(scope, order, ENTRY_RECORD_COLUMNS, options);
    return {
      items: items.map(entryOf),
      ...(cursor === undefined ? {} : { cursor }),
      ...(next === undefined ? {} : { next: entryOf(next) }),
    };
  }

  async byIds(scope: ExactScope, entryIds: readonly string[]): Promise<readonly MemoryEntry[]> {
    const where = all(readableBy(scope), oneOf("entry_id", entryIds));
    return (await this.#table.read(where, { columns: ENTRY_RECORD_COLUMNS, orderBy: CREATION })).map(entryOf);
  }

  async bySources(scope: ExactScope, dialogueIds: readonly string[]): Promise<readonly MemoryEntry[]> {
    const found = await this.#rows.found(() => this.#standingOn(scope, dialogueIds));
    return found.map(({ value }) => value.row);
  }

  async owned(scope: ExactScope, filter: ReadFilter): Promise<readonly MemoryEntry[]> {
    const where = all(exactly(scope), matches(FILTER, filter));
    return (await this.#table.read(where, { columns: ENTRY_RECORD_COLUMNS, orderBy: CREATION })).map(entryOf);
  }

  async rows(scope: ExactScope, entryIds: readonly string[]): Promise<readonly EntryRow[]> {
    const where = all(exactly(scope), oneOf("entry_id", entryIds));
    return (await this.#table.read(where, { orderBy: CREATION })).map(entryRowOf);
  }

  async histories(scope: ExactScope, entryIds: readonly string[]): Promise<readonly EntryWithChanges[]> {
    const where = all(readableBy(scope), oneOf("entry_id", entryIds));
    const rows = await this.#table.read(where, { columns: [...ENTRY_RECORD_COLUMNS, "changes"], orderBy: CREATION });
    return rows.map((row) => ({ entry: entryOf(row), changes: changesIn(row) }));
  }

  async *pages(scope: ExactScope, size: number): AsyncGenerator<readonly EntryWithChanges[]> {
    const options = { size, order: ["created_at", "event_at", "entry_id"], columns: [...EXPORTED_COLUMNS] };
    for await (const rows of pagesOf(this.#table, exactly(scope), options)) {
      yield rows.map((row) => ({ entry: entryOf(row), changes: changesIn(row) }));
    }
  }

  async size(scope: ExactScope): Promise<number> {
    return this.#table.count(readableBy(scope));
  }

  async count(scope: ExactScope): Promise<{ [status in EntryStatus]?: number }> {
    return countByStatus(this.#table, readableBy(scope));
  }

  async persons(scope: ExactScope, limit: number): Promise<readonly string[]> {
    const where = all(readableBy(scope), equals("status", "active"));
    const counts = new Map<string, number>();
    for (const row of await this.#table.read(where, { columns: ENTRY_RECORD_COLUMNS })) {
      for (const name of entryOf(row).persons) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts]
      .sort(([left, often], [right, oftener]) => oftener - often || (left < right ? -1 : 1))
      .slice(0, Math.max(0, limit))
      .map(([name]) => name);
  }

  async remove(scope: ExactScope, entryIds: readonly string[]): Promise<number> {
    return this.#remove(all(exactly(scope), oneOf("entry_id", entryIds)));
  }

  async removeAll(scope: ExactScope): Promise<number> {
    return this.#remove(exactly(scope));
  }

  async scopes(): Promise<readonly ExactScope[]> {
    return distinctScopes(await this.#table.read(all(), { columns: Object.keys(SCOPE_COLUMNS) }));
  }

  /** One row more than the page is read: it tells whether there is another page, and how that begins. */
  async #page(
    scope: ExactScope,
    order: PageOrder,
    columns: readonly string[],
    { filter, limit, cursor }: PageOptions,
    ...further: readonly Predicate[]
  ): Promise<{ items: readonly Row[]; cursor?: string; next?: Row }> {
    const rest = cursor === undefined ? [] : [beyond(cursor, order)];
    const rows = await this.#table.read(all(await this.#where(scope, filter), ...further, ...rest), {
      columns: [...columns, ...order.columns, order.key],
      orderBy: orderOf(order),
      ...(limit === undefined ? {} : { limit: limit + 1 }),
    });
    const items = rows.slice(0, limit);
    const [last, next] = [items.at(-1), rows[items.length]];
    return last === undefined || next === undefined ? { items } : { items, cursor: cursorAt(last, order), next };
  }

  async #within(scope: ExactScope, filter: ReadFilter | undefined): Promise<Within> {
    return { scope: readableBy(scope), where: await this.#where(scope, filter) };
  }

  /** Rows that stand on one of the turns, in the order of their making. */
  async #standingOn(scope: ExactScope, dialogueIds: readonly string[]): Promise<readonly number[]> {
    const where = readableBy(scope);
    const isKept = dialogueIds.length > 0 && (await this.#table.count(where)) <= KEPT_SOURCES;
    return isKept
      ? SourceDigest.holding(await this.#sources.choose({ scope: where, where }), dialogueIds)
      : this.#ids.inOrder(all(where, holdsAny("source_ids", dialogueIds)), CREATION);
  }

  async #remove(where: Predicate): Promise<number> {
    try {
      return await this.#rows.remove(where);
    } finally {
      this.#ids.clear();
      this.#sources.clear();
    }
  }

  /** What the scope may read, and the filter admits. */
  async #where(scope: ExactScope, filter: ReadFilter | undefined): Promise<Predicate> {
    const where = all(readableBy(scope), matches(FILTER, filter));
    const now = filter?.unexpiredAt;
    return now === undefined ? where : all(where, await this.#expiries.notEnded(readableBy(scope), milliseconds(now)));
  }
}
