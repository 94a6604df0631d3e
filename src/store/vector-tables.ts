import { DimensionMismatchError, InvalidInputError } from "../records/index.js";
import { checkSpace, type Meta, type SpaceDesign } from "./meta.js";
import type { StoreTable } from "./table.js";
import type { VectorSpace } from "./vectors.js";

/** Tables whose vectors are of one space. They are made when the length of the vectors is known. */
export class VectorTables {
  readonly tables: readonly StoreTable[];
  readonly #meta: Meta;
  readonly #design: SpaceDesign;
  #space: VectorSpace | null = null;
  #areMade = false;

  constructor(meta: Meta, design: SpaceDesign, tables: readonly StoreTable[]) {
    this.#meta = meta;
    this.#design = design;
    this.tables = tables;
  }

  get dimension(): number | null {
    return this.#space?.dimension ?? null;
  }

  /** Once settled it stays, so it is looked up until it is known. */
  async known(): Promise<VectorSpace | null> {
    this.#space ??= await this.#meta.vectorSpace(this.#design);
    return this.#space;
  }

  /**
   * Makes the tables for this space, or checks that they have it; a read-only store is checked alone.
   * @throws DimensionMismatchError naming both lengths, the embedders and the way out
   */
  async ensure(wanted: VectorSpace, readOnly: boolean): Promise<void> {
    const { dimension, embedder } = wanted;
    if (!Number.isInteger(dimension) || dimension < 1) {
      throw new InvalidInputError(`the dimension of vectors must be a whole number above 0, got ${dimension}.`);
    }
    const known = await this.known();
    if (known !== null) checkSpace(known, wanted, this.#design);
    if (readOnly || this.#areMade) return;
    const space = known ?? (await this.#meta.settleVectorSpace(wanted, this.#design));
    for (const table of this.tables) {
      await table.create(space.dimension);
      const found = await table.dimension();
      if (found !== null && found !== dimension) {
        throw new DimensionMismatchError(
          `the table "${table.design.name}" holds vectors of ${found} numbers, but ${embedder} makes vectors of ${dimension}.`,
          found,
          dimension,
        );
      }
    }
    this.#space = space;
    this.#areMade = true;
  }

  /** After the tables were dropped. */
  forget(): void {
    this.#space = null;
    this.#areMade = false;
  }
}
