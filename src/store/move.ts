import type { Cells } from "./schema.js";

/** What is to be made anew, and by what. */
export interface MoveRequest {
  readonly dimension: number;
  readonly embedder: string;
  /** A vector for each text. */
  readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
  /** Told after every page of rows. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface MoveReport {
  /** The embedder whose vectors the store had; null when it had none. */
  readonly former: string | null;
  /** Rows of the store. */
  readonly entries: number;
  readonly chunks: number;
  /** Texts that were embedded. */
  readonly embeddedTexts: number;
}

/** What the vectors of a table are made of. */
export interface TextSource {
  readonly textOf: (cells: Cells) => string;
  /** The row with the name of who made its vector. */
  readonly madeBy: (cells: Cells, embedder: string) => Cells;
}
