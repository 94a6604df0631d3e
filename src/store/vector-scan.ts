import type { Predicate } from "./filter.js";
import { ROW_ID } from "./result-rows.js";
import { dot } from "./similarity.js";
import type { StoreTable } from "./table.js";
import { UntilWritten } from "./until-written.js";

/** Scans of one table that are kept, each of a few megabytes at most. */
const KEPT_SCANS = 4;

/** The vectors of all rows that a predicate holds for, of length 1. */
export interface ScannedVectors {
  readonly rowIds: readonly number[];
  readonly vectors: readonly Float32Array[];
}

function unit(vector: ArrayLike<number>): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

/** Vectors as they were read, until anyone writes to the table. */
export class VectorScans {
  readonly #scans: UntilWritten<ScannedVectors>;

  constructor(private readonly table: StoreTable) {
    this.#scans = new UntilWritten(table, KEPT_SCANS);
  }

  of(where: Predicate): Promise<ScannedVectors> {
    return this.#scans.of(where, async () => {
      const rows = await this.table.readVectors(where, [ROW_ID]);
      return {
        rowIds: rows.map(({ row }) => row.number(ROW_ID)),
        vectors: rows.map(({ vector }) => unit(vector)),
      };
    });
  }

  clear(): void {
    this.#scans.clear();
  }
}
