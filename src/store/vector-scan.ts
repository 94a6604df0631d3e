import type { Predicate } from "./filter.js";
import { ROW_ID } from "./result-rows.js";
import { unit } from "./similarity.js";
import type { StoreTable } from "./table.js";
import { UntilWritten } from "./until-written.js";

/** Scans of one table that are kept, each of a few megabytes at most. */
const KEPT_SCANS = 4;

/** The vectors of all rows that a predicate holds for. */
export interface ScannedVectors {
  readonly rowIds: readonly number[];
  /** One after the other, each of length 1. */
  readonly numbers: Float32Array;
}

function joined(vectors: readonly Float32Array[]): Float32Array {
  const size = vectors[0]?.length ?? 0;
  const numbers = new Float32Array(vectors.length * size);
  for (const [index, vector] of vectors.entries()) numbers.set(unit(vector), index * size);
  return numbers;
}

/** The cosine of a vector with each that was scanned. */
export function cosinesOf({ rowIds, numbers }: ScannedVectors, vector: readonly number[]): Float32Array {
  const asked = unit(vector);
  const size = asked.length;
  const cosines = new Float32Array(rowIds.length);
  for (let row = 0, start = 0; row < cosines.length; row += 1, start += size) {
    let sum = 0;
    for (let index = 0; index < size; index += 1) sum += (numbers[start + index] ?? 0) * (asked[index] ?? 0);
    cosines[row] = sum;
  }
  return cosines;
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
        numbers: joined(rows.map(({ vector }) => vector)),
      };
    });
  }

  clear(): void {
    this.#scans.clear();
  }
}
