import { DimensionMismatchError, InvalidInputError } from "../records/index.js";
import { checkSpace, type Meta, type SpaceDesign } from "./meta.js";
import type { StoreTable } from "./table.js";
import { tableNameIn, type VectorSpace } from "./vectors.js";

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

  get embedder(): string | null {
    return this.#space?.embedder ?? null;
  }

  /** Once settled it stays until the vectors are made anew, so it is looked up until it is known. */
  async known(): Promise<VectorSpace | null> {
    return this.#space ?? this.refreshed();
  }

  /** As it is now: another process may have made the vectors anew. */
  async refreshed(): Promise<VectorSpace | null> {
    const space = await this.#meta.vectorSpace(this.#design);
    if (space === null) return this.#space;
    if (space.generation !== this.#space?.generation) this.#areMade = false;
    for (const table of this.tables) table.moveTo(tableNameIn(space, table.design.name));
    this.#space = space;
    return space;
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
    const known = await this.#spaceFor(wanted);
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

  /**
   * Makes what is missing of tables whose space is settled: a process may have died between the two. Rows that were lost with a
   * table are told by `verify`.
   */
  async complete(): Promise<void> {
    const space = await this.known();
    if (space === null) return;
    for (const table of this.tables) await table.create(space.dimension);
    this.#areMade = true;
  }

  async #spaceFor({ dimension, embedder }: VectorSpace): Promise<VectorSpace | null> {
    const known = await this.known();
    const isOther = known !== null && (known.dimension !== dimension || known.embedder !== embedder);
    return isOther ? this.refreshed() : known;
  }

  /** After the tables were dropped. */
  forget(): void {
    for (const table of this.tables) table.moveTo(table.design.name);
    this.#space = null;
    this.#areMade = false;
  }
}
