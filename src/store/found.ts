/** What a row was indexed by, for a ranking that weighs it anew. Shared by all who find the row: not to be changed. */
export interface IndexedText {
  readonly words: string;
  /** Words of the turns around, see `encodeNeighbours`. */
  readonly contextWords: string;
  readonly vector: readonly number[] | null;
}

export interface Scored<T> {
  readonly row: T;
  /** Cosine for a vector search, BM25 for a word search. */
  readonly score: number;
}

/** A row that a search found. Rows are shared by all who find them: not to be changed. */
export interface Found<T> extends Scored<T> {
  readonly index: IndexedText;
}
