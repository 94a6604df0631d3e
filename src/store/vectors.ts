import { DimensionMismatchError, InvalidVectorError } from "../records/index.js";

/** What the store's vectors are: their length and the embedder that made them. */
export interface VectorSpace {
  readonly dimension: number;
  readonly embedder: string;
  /** How often the vectors were made anew, and so which tables hold them; absent: never. */
  readonly generation?: number;
}

/** What a table with vectors of this space is called. */
export function tableNameIn({ generation = 0 }: VectorSpace, name: string): string {
  return generation === 0 ? name : `${name}_${generation}`;
}

/**
 * Checks a vector before it is written or searched with. LanceDB itself pads a short one and cuts a long one, and a zero
 * or NaN one is never found again.
 * @throws DimensionMismatchError | InvalidVectorError
 */
export function checkVector(vector: readonly number[], space: VectorSpace): void {
  if (!Array.isArray(vector) || vector.length === 0) {
    throw new InvalidVectorError(`the embedder ${space.embedder} gave an empty vector; nothing was written.`);
  }
  if (vector.length !== space.dimension) {
    throw new DimensionMismatchError(
      `a vector has ${vector.length} numbers, but the store holds vectors of ${space.dimension} made by ${space.embedder}. Call reembed(), or open the store with that embedder.`,
      space.dimension,
      vector.length,
    );
  }
  if (!vector.every((value) => Number.isFinite(Math.fround(value)))) {
    throw new InvalidVectorError(
      `the embedder ${space.embedder} gave a vector with a value that is not a finite number.`,
    );
  }
  if (vector.every((value) => Math.fround(value) === 0)) {
    throw new InvalidVectorError(`the embedder ${space.embedder} gave a zero vector, which nothing can be near to.`);
  }
}
