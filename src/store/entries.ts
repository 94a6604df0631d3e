import { type EntryStatus, InvalidInputError, type MemoryEntry, type Page } from "../records/index.js";
import { ENTRY_RECORD_COLUMNS, ENTRY_STATUSES, entryCells, entryOf, entryRowOf } from "./entry-cells.js";
import {
  all,
  any,
  compares,
  equals,
  exactly,
  type FilterColumns,
  greaterText,
  holdsAny,
  matches,
  oneOf,
  type Predicate,
  readableBy,
} from "./filter.js";
import { distinctScopes } from "./keys.js";
import type { Row } from "./row.js";
import { SCOPE_COLUMNS } from "./schema.js";
import { nearestRows, wordBoosts } from "./searching.js";
import type { EntryRow, EntryTable, ExactScope, Found, ReadFilter, Scored, WordBoosts } from "./store.js";
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
};

const CREATION = [{ column: "created_at" }, { column: "row_key" }];
const NEWEST_EVENT = [
  { column: "event_at", descending: true },
  { column: "created_at", descending: true },
  { column: "row_key" },
];

interface NearestOptions {
  limit: number;
  filter?: ReadFilter;
  floor?: number;
}

function cursorOf(row: Row): string {
  return Buffer.from(JSON.stringify([row.number("created_at"), row.text("row_key")])).toString("base64url");
}

function parseCursor(cursor: string): [number, string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parts) && typeof parts[0] === "number" && typeof parts[1] === "string")
      return [parts[0], parts[1]];
  } catch {
    // Told below, together with a cursor of the wrong shape.
  }
  throw new InvalidInputError(
    `${JSON.stringify(cursor)} is no cursor of list(); pass the one that the last page gave.`,
  );
}

/** What a ranking reads beside the record; a vector search tells the cosine itself, so that it needs no vector. */
const CONTENT_COLUMNS = ["words", "context_words"] as const;

function foundEntry({ row, score }: { row: Row; score: number }): Found<MemoryEntry> {
  const index = {
    words: row.text("words"),
    contextWords: row.text("context_words"),
    vector: row.vectorOrNull("vector"),
  };
  return { row: entryOf(row), score, index };
}

function beyond(cursor: string): Predicate {
  const [createdAt, key] = parseCursor(cursor);
  return any(
    compares("created_at", ">", createdAt),
    all(compares("created_at", "=", createdAt), greaterText("row_key", key)),
  );
}

/** The entries over LanceDB. */
export class LanceEntryTable implements EntryTable {
  readonly #table: StoreTable;
  readonly #space: () => Promise<VectorSpace | null>;

  /** @param space what the vectors are; null while none was ever written */
  constructor(table: StoreTable, space: () => Promise<VectorSpace | null>) {
    this.#table = table;
    this.#space = space;
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
    const where = all(readableBy(scope), matches(FILTER, options.filter));
    const search = { ...options, columns: [...ENTRY_RECORD_COLUMNS, ...CONTENT_COLUMNS] };
    const [found = []] = await nearestRows(this.#table, await this.#space(), [vector], where, search);
    return found.map(foundEntry);
  }

  async nearestBatch(
    scope: ExactScope,
    vectors: readonly (readonly number[])[],
    options: NearestOptions,
  ): Promise<readonly (readonly Scored<MemoryEntry>[])[]> {
    const where = all(readableBy(scope), matches(FILTER, options.filter));
    // Many vectors share neighbours: the ids first, then each row once, since reading a row costs more than finding it.
    const search = { ...options, columns: ["entry_id"] };
    const lists = await nearestRows(this.#table, await this.#space(), vectors, where, search);
    const ids = [...new Set(lists.flatMap((list) => list.map(({ row }) => row.text("entry_id"))))];
    const entries = new Map((await this.byIds(scope, ids)).map((entry) => [entry.entryId, entry]));
    return lists.map((list) =>
      list.flatMap(({ row, score }) => {
        const entry = entries.get(row.text("entry_id"));
        return entry === undefined ? [] : [{ row: entry, score }];
      }),
    );
  }

  async matching(
    scope: ExactScope,
    words: string,
    options: { limit: number; filter?: ReadFilter; boosts: WordBoosts },
  ): Promise<readonly Found<MemoryEntry>[]> {
    const where = all(readableBy(scope), matches(FILTER, options.filter));
    const boosts = wordBoosts(options.boosts, this.#table.design.wordColumns);
    const found = await this.#table.matching(words, boosts, where, {
      limit: options.limit,
      columns: [...ENTRY_RECORD_COLUMNS, ...CONTENT_COLUMNS, "vector"],
    });
    return found.map(foundEntry);
  }

  async where(scope: ExactScope, options: { filter?: ReadFilter; limit?: number }): Promise<readonly MemoryEntry[]> {
    if (options.limit !== undefined && options.limit < 1) return [];
    const where = all(readableBy(scope), matches(FILTER, options.filter));
    return this.#entries(where, { orderBy: NEWEST_EVENT, limit: options.limit });
  }

  async list(
    scope: ExactScope,
    options: { filter?: ReadFilter; limit?: number; cursor?: string },
  ): Promise<Page<MemoryEntry>> {
    const { limit, cursor, filter } = options;
    const where = all(readableBy(scope), matches(FILTER, filter), ...(cursor === undefined ? [] : [beyond(cursor)]));
    const rows = await this.#table.read(where, {
      columns: [...ENTRY_RECORD_COLUMNS, "created_at", "row_key"],
      orderBy: CREATION,
      ...(limit === undefined ? {} : { limit: limit + 1 }),
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const items = page.map(entryOf);
    return last === undefined || page.length === rows.length ? { items } : { items, cursor: cursorOf(last) };
  }

  async byIds(scope: ExactScope, entryIds: readonly string[]): Promise<readonly MemoryEntry[]> {
    return this.#entries(all(readableBy(scope), oneOf("entry_id", entryIds)), { orderBy: CREATION });
  }

  async bySources(scope: ExactScope, dialogueIds: readonly string[]): Promise<readonly MemoryEntry[]> {
    return this.#entries(all(readableBy(scope), holdsAny("source_ids", dialogueIds)), { orderBy: CREATION });
  }

  async rows(scope: ExactScope, entryIds: readonly string[]): Promise<readonly EntryRow[]> {
    const where = all(exactly(scope), oneOf("entry_id", entryIds));
    return (await this.#table.read(where, { orderBy: CREATION })).map(entryRowOf);
  }

  async size(scope: ExactScope): Promise<number> {
    return this.#table.count(readableBy(scope));
  }

  async count(scope: ExactScope): Promise<{ [status in EntryStatus]?: number }> {
    const counts = await Promise.all(
      ENTRY_STATUSES.map(async (status) => {
        const rows = await this.#table.count(all(readableBy(scope), equals("status", status)));
        return [status, rows] as const;
      }),
    );
    return Object.fromEntries(counts.filter(([, rows]) => rows > 0));
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
    return this.#table.remove(all(exactly(scope), oneOf("entry_id", entryIds)));
  }

  async removeAll(scope: ExactScope): Promise<number> {
    return this.#table.remove(exactly(scope));
  }

  async scopes(): Promise<readonly ExactScope[]> {
    return distinctScopes(await this.#table.read(all(), { columns: Object.keys(SCOPE_COLUMNS) }));
  }

  async #entries(
    where: Predicate,
    options: { orderBy: typeof NEWEST_EVENT | typeof CREATION; limit?: number | undefined },
  ): Promise<readonly MemoryEntry[]> {
    const { orderBy, limit } = options;
    const rows = await this.#table.read(where, {
      columns: ENTRY_RECORD_COLUMNS,
      orderBy,
      ...(limit === undefined ? {} : { limit }),
    });
    return rows.map(entryOf);
  }
}
