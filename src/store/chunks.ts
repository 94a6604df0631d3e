import {
  all,
  equals,
  exactly,
  type FilterColumns,
  isNull,
  matches,
  oneOf,
  type Predicate,
  readableBy,
} from "./filter.js";
import type { Found, IndexedText } from "./found.js";
import { folded, scopeCells } from "./keys.js";
import type { TextSource } from "./move.js";
import { ROW_ID } from "./result-rows.js";
import { ROLE_TRUST } from "./role-trust.js";
import { milliseconds, type Row } from "./row.js";
import type { FoundRow } from "./row-cache.js";
import type { Within } from "./row-ids.js";
import { type Cells, SCOPE_COLUMNS } from "./schema.js";
import { SearchableRows } from "./searchable-rows.js";
import { indexedText } from "./searching.js";
import type { ChunkRow, ChunkTable, ExactScope, ReadFilter, WordBoosts } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";
import { checkVector, type VectorSpace } from "./vectors.js";

export const CHUNKS: TableDesign = {
  name: "chunks",
  key: "chunk_id",
  wordColumns: ["words", "context_words", "person_words"],
  added: ["metadata_hashes"],
  columns: {
    /** Starts with the hash of scope, session and turn: unique over the whole store. */
    chunk_id: "key",
    ...SCOPE_COLUMNS,
    session_id: "text",
    dialogue_id: "text",
    speaker: "text",
    speaker_folded: "text",
    role: "text",
    text: "text",
    timestamp: "number",
    sequence: "number",
    words: "text",
    context_words: "text",
    person_words: "text",
    vector: "vector?",
    metadata_hashes: "list?",
  },
};

/** What vectors of chunks are made of. */
export const CHUNK_TEXTS: TextSource = {
  textOf: (cells) => String(cells.text),
  madeBy: (cells) => cells,
};

const FILTER: FilterColumns = {
  ids: ["chunk_id", "dialogue_id"],
  time: "timestamp",
  speaker: "speaker_folded",
  metadata: "metadata_hashes",
  trust: ROLE_TRUST,
  personAsSpeaker: "speaker_folded",
};

const ARRIVAL = [{ column: "sequence" }, { column: "chunk_id" }];
const CHUNK_COLUMNS: readonly string[] = Object.keys(CHUNKS.columns);

function cellsOf(scope: ExactScope, chunk: ChunkRow): Cells {
  return {
    chunk_id: chunk.chunkId,
    ...scopeCells(scope),
    session_id: chunk.sessionId,
    dialogue_id: chunk.dialogueId,
    speaker: chunk.speaker,
    speaker_folded: folded(chunk.speaker),
    role: chunk.role,
    text: chunk.text,
    timestamp: milliseconds(chunk.timestamp),
    sequence: chunk.sequence,
    words: chunk.words,
    context_words: chunk.contextWords,
    person_words: chunk.personWords,
    vector: chunk.vector,
    metadata_hashes: chunk.metadataHashes,
  };
}

export function chunkOf(row: Row): ChunkRow {
  return {
    chunkId: row.text("chunk_id"),
    dialogueId: row.text("dialogue_id"),
    sessionId: row.text("session_id"),
    speaker: row.text("speaker"),
    role: row.text("role"),
    text: row.text("text"),
    timestamp: row.time("timestamp"),
    sequence: row.number("sequence"),
    vector: row.vectorOrNull("vector"),
    words: row.text("words"),
    contextWords: row.text("context_words"),
    personWords: row.text("person_words"),
    metadataHashes: row.list("metadata_hashes"),
  };
}

interface KnownChunk {
  readonly row: ChunkRow;
  readonly index: IndexedText;
}

function knownChunk(row: Row): KnownChunk {
  return { row: chunkOf(row), index: indexedText(row) };
}

function asFound({ value, score }: FoundRow<KnownChunk>): Found<ChunkRow> {
  return { row: value.row, index: value.index, score };
}

function within(scope: ExactScope, filter: ReadFilter | undefined): Within {
  return { scope: readableBy(scope), where: all(readableBy(scope), matches(FILTER, filter)) };
}

function ofTurns(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Predicate {
  return all(exactly(scope), equals("session_id", sessionId), oneOf("dialogue_id", dialogueIds));
}

/** The episodic layer over LanceDB. */
export class LanceChunkTable implements ChunkTable {
  readonly #table: StoreTable;
  readonly #space: () => Promise<VectorSpace | null>;
  readonly #rows: SearchableRows<KnownChunk>;

  /** @param space what the vectors are; null while none was ever written */
  constructor(table: StoreTable, space: () => Promise<VectorSpace | null>) {
    this.#table = table;
    this.#space = space;
    this.#rows = new SearchableRows(table, space, CHUNK_COLUMNS, knownChunk);
  }

  async put(scope: ExactScope, rows: readonly ChunkRow[]): Promise<void> {
    const space = await this.#space();
    for (const { vector } of rows) if (vector !== null && space !== null) checkVector(vector, space);
    await this.#table.upsert(rows.map((row) => cellsOf(scope, row)));
  }

  async nearest(
    scope: ExactScope,
    vector: readonly number[],
    options: { limit: number; filter?: ReadFilter; floor?: number },
  ): Promise<readonly Found<ChunkRow>[]> {
    return (await this.#rows.nearest(vector, within(scope, options.filter), options)).map(asFound);
  }

  async matching(
    scope: ExactScope,
    words: string,
    options: { limit: number; filter?: ReadFilter; boosts: WordBoosts },
  ): Promise<readonly Found<ChunkRow>[]> {
    const found = await this.#rows.matching(words, options.boosts, within(scope, options.filter), options.limit);
    return found.map(asFound);
  }

  async unembedded(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly ChunkRow[]> {
    return this.#read(all(ofTurns(scope, sessionId, dialogueIds), isNull("vector")));
  }

  async byTurns(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<readonly ChunkRow[]> {
    return this.#read(ofTurns(scope, sessionId, dialogueIds));
  }

  async count(scope: ExactScope): Promise<number> {
    return this.#table.count(readableBy(scope));
  }

  async sample(
    scope: ExactScope,
    limits: { words: number; vectors: number },
  ): Promise<{ words: readonly string[]; vectors: readonly (readonly number[])[] }> {
    const rows = await this.#table.read(readableBy(scope), { columns: ["words", ROW_ID], limit: limits.words });
    const step = Math.max(1, Math.ceil(rows.length / limits.vectors));
    const spaced = rows.filter((_, index) => index % step === 0).map((row) => row.number(ROW_ID));
    const vectors = (await this.#table.take(spaced, ["vector"])).flatMap((row) => {
      const vector = row.vectorOrNull("vector");
      return vector === null ? [] : [vector];
    });
    return { words: rows.map((row) => row.text("words")), vectors };
  }

  async remove(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<number> {
    return this.#rows.remove(ofTurns(scope, sessionId, dialogueIds));
  }

  async removeAll(scope: ExactScope): Promise<number> {
    return this.#rows.remove(exactly(scope));
  }

  async #read(where: Predicate): Promise<readonly ChunkRow[]> {
    return (await this.#table.read(where, { orderBy: ARRIVAL })).map(chunkOf);
  }
}
