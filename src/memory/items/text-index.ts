import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { DimensionMismatchError, InvalidVectorError, type Json } from "../../records/index.js";
import type { MemoryStore } from "../../store/index.js";
import { embedderName } from "../embedder-name.js";
import { textsAt } from "./text-paths.js";

export interface TextIndexOptions {
  readonly embeddings: EmbeddingsInterface;
  /** Length of the vectors; null when only the first vector tells. */
  readonly dims: number | null;
  readonly fields: readonly string[];
}

/** Nothing is near to a zero vector: a text that has one is not indexed, a query that has one ranks nothing. */
function isZero(vector: readonly number[]): boolean {
  return vector.every((value) => Math.fround(value) === 0);
}

/** Which texts of an item are embedded, and how. */
export class TextIndex {
  readonly #store: MemoryStore;
  readonly #options: TextIndexOptions;
  readonly #name: string;

  constructor(store: MemoryStore, options: TextIndexOptions) {
    this.#store = store;
    this.#options = options;
    this.#name = embedderName(options.embeddings);
  }

  /** Settles the length of the vectors where it is known. @throws DimensionMismatchError */
  async open(): Promise<void> {
    if (this.#options.dims !== null) await this.#store.ensureItemDimension(this.#options.dims, this.#name);
  }

  /** The texts of a value, each once; `override` as in a put: other paths, or false for none. */
  textsOf(value: Json, override: false | readonly string[] | undefined): readonly string[] {
    if (override === false) return [];
    const paths = override ?? this.#options.fields;
    return [...new Set(paths.flatMap((path) => textsAt(value, path)))];
  }

  /** The vectors of the texts, in one call; a text with a zero vector has none. */
  async embed(texts: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    if (texts.length === 0) return new Map();
    const vectors = await this.#options.embeddings.embedDocuments([...texts]);
    if (vectors.length !== texts.length) {
      throw new InvalidVectorError(
        `the embedder ${this.#name} gave ${vectors.length} vectors for ${texts.length} texts; nothing was written.`,
      );
    }
    for (const vector of vectors) this.#check(vector);
    await this.#settle(vectors);
    const embedded = texts.map((text, index) => [text, vectors[index] ?? []] as const);
    return new Map(embedded.filter(([, vector]) => !isZero(vector)));
  }

  /** Null when the query has no meaning to compare. */
  async embedQuery(query: string): Promise<readonly number[] | null> {
    const vector = await this.#options.embeddings.embedQuery(query);
    this.#check(vector);
    await this.#settle([vector]);
    return isZero(vector) ? null : vector;
  }

  /** The tables may be gone since the last call: a reset drops them. */
  async #settle([vector]: readonly (readonly number[])[]): Promise<void> {
    if (vector !== undefined) await this.#store.ensureItemDimension(vector.length, this.#name);
  }

  #check(vector: readonly number[]): void {
    if (vector.length === 0) {
      throw new InvalidVectorError(`the embedder ${this.#name} gave an empty vector; nothing was written.`);
    }
    if (!vector.every((value) => Number.isFinite(Math.fround(value)))) {
      throw new InvalidVectorError(
        `the embedder ${this.#name} gave a vector with a value that is not a finite number; nothing was written.`,
      );
    }
    const { dims } = this.#options;
    if (dims === null || vector.length === dims) return;
    throw new DimensionMismatchError(
      `index.dims is ${dims}, but the embedder ${this.#name} gave a vector of ${vector.length} numbers. Set index.dims to ${vector.length}.`,
      dims,
      vector.length,
    );
  }
}
