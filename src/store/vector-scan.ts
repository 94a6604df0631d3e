import type { Predicate } from "./filter.js";
import { ROW_ID } from "./result-rows.js";
import { dot } from "./similarity.js";
import type { StoreTable } from "./table.js";

/** Results of one table that are kept, each of at most `SCANNED_NUMBERS` numbers. */
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
  readonly #scans = new Map<Predicate, Promise<ScannedVectors>>();
  #version = 0;

  constructor(private readonly table: StoreTable) {}

  async of(where: Predicate): Promise<ScannedVectors> {
    const version = await this.table.version();
    if (version !== this.#version) this.clear();
    this.#version = version;
    const scan = this.#scans.get(where) ?? this.#read(where);
    this.#scans.delete(where);
    this.#scans.set(where, scan);
    const [oldest] = this.#scans.keys();
    if (this.#scans.size > KEPT_SCANS && oldest !== undefined) this.#scans.delete(oldest);
    return scan;
  }

  clear(): void {
    this.#scans.clear();
  }

  #read(where: Predicate): Promise<ScannedVectors> {
    const scan = this.table.readVectors(where, [ROW_ID]).then((rows) => ({
      rowIds: rows.map(({ row }) => row.number(ROW_ID)),
      vectors: rows.map(({ vector }) => unit(vector)),
    }));
    // A failed read is told to who waits for it, and tried again by the next.
    scan.catch(() => this.#scans.delete(where));
    return scan;
  }
}
