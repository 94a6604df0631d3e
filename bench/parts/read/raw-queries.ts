import { BooleanQuery, type Connection, connect, MatchQuery, Occur, type Table } from "@lancedb/lancedb";
import { indexWords } from "../../../src/language/index.js";
import { CURRENT_STATUSES } from "../../../src/records/index.js";
import { all, holdsAny, oneOf, type Predicate, readableBy } from "../../../src/store/filter.js";
import type { ExactScope } from "../../../src/store/index.js";
import { throughIndex } from "../../../src/store/vector-index.js";
import { timed } from "../../suite/numbers.js";

/** As many candidates as a search takes (src/retrievers/legs.ts), and as many turns as it looks up the entries of. */
const [ENTRIES, TURNS, BY_NAME, SOURCES] = [150, 300, 40, 20];
const ENTRY_COLUMNS = ["record", "words", "context_words", "vector"];
const TURN_COLUMNS = ["chunk_id", "dialogue_id", "session_id", "speaker", "text", "words", "context_words", "vector"];

/** What a question is asked with. */
export interface RawQuestion {
  readonly text: string;
  readonly vector: readonly number[];
  readonly person: string;
}

const ENTRY_BOOSTS = { words: 1, keyword_words: 0.6, context_words: 0.4 };
const TURN_BOOSTS = { words: 1, context_words: 0.4 };

function wordsQuery(words: string, boosts: { readonly [column: string]: number }): BooleanQuery {
  return new BooleanQuery(
    Object.entries(boosts).map(([column, boost]) => [Occur.Should, new MatchQuery(words, column, { boost })]),
  );
}

/** The searches that a question needs, put to LanceDB as they are: same tables, same indexes, same predicates, same columns. */
export class RawQueries {
  readonly #entries: Table;
  readonly #turns: Table;
  readonly #facts: Table;
  readonly #connection: Connection;
  readonly #scope: Predicate;
  readonly #current: Predicate;

  private constructor(connection: Connection, tables: readonly [Table, Table, Table], scope: ExactScope) {
    [this.#entries, this.#turns, this.#facts] = tables;
    this.#connection = connection;
    this.#scope = readableBy(scope);
    this.#current = all(this.#scope, oneOf("status", CURRENT_STATUSES));
  }

  static async open(folder: string, scope: ExactScope): Promise<RawQueries> {
    const connection = await connect(folder);
    const [entries, turns, facts] = await Promise.all([
      connection.openTable("entries"),
      connection.openTable("chunks"),
      connection.openTable("facts"),
    ]);
    return new RawQueries(connection, [entries, turns, facts], scope);
  }

  close(): void {
    this.#connection.close();
  }

  /** Milliseconds of each search, one after the other. */
  async ask(question: RawQuestion): Promise<{ readonly [query: string]: number }> {
    let turnIds: string[] = [];
    return {
      "entries by vector": await timed(() => this.#byVector(this.#entries, question, ENTRIES, ENTRY_COLUMNS)),
      "turns by vector": await timed(async () => {
        turnIds = await this.#byVector(this.#turns, question, TURNS, TURN_COLUMNS);
      }),
      "entries by words": await timed(() => this.#byWords(this.#entries, question, ENTRIES, ENTRY_COLUMNS)),
      "turns by words": await timed(() => this.#byWords(this.#turns, question, TURNS, TURN_COLUMNS)),
      "entries by name": await timed(() => this.#byName(question)),
      facts: await timed(() => this.#facts.query().where(this.#scope).toArrow()),
      "entries of turns": await timed(() => this.#bySources(turnIds.slice(0, SOURCES))),
    };
  }

  async #byVector(table: Table, { vector }: RawQuestion, limit: number, columns: string[]): Promise<string[]> {
    const query = throughIndex(
      table
        .query()
        .nearestTo([...vector])
        .distanceType("cosine"),
    );
    const where = table === this.#entries ? this.#current : this.#scope;
    const found = await query
      .where(where)
      .select([...columns, "_distance"])
      .limit(limit)
      .toArrow();
    const ids = found.getChild("dialogue_id");
    return ids === null ? [] : Array.from({ length: found.numRows }, (_, row) => String(ids.get(row)));
  }

  #byWords(table: Table, { text }: RawQuestion, limit: number, columns: string[]): Promise<unknown> {
    const isEntries = table === this.#entries;
    return table
      .query()
      .fullTextSearch(wordsQuery(indexWords(text), isEntries ? ENTRY_BOOSTS : TURN_BOOSTS))
      .where(isEntries ? this.#current : this.#scope)
      .select([...columns, "_score"])
      .limit(limit)
      .toArrow();
  }

  #byName({ person }: RawQuestion): Promise<unknown> {
    return this.#entries
      .query()
      .where(all(this.#current, holdsAny("persons_folded", [person.toLowerCase()])))
      .orderBy([{ columnName: "event_at", ascending: false }])
      .select(ENTRY_COLUMNS)
      .limit(BY_NAME)
      .toArrow();
  }

  #bySources(turnIds: readonly string[]): Promise<unknown> {
    return this.#entries
      .query()
      .where(all(this.#scope, holdsAny("source_ids", turnIds)))
      .select(["record"])
      .toArrow();
  }
}
