import { InvalidInputError, type Json, type Metadata, StoreVersionError } from "../records/index.js";
import type { Cells, ColumnKind, Columns } from "./schema.js";

function damaged(column: string): StoreVersionError {
  return new StoreVersionError(
    `the column "${column}" holds a value that this library never writes. It was left unchanged.`,
  );
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** The values of one column, by the index of the row. */
export interface Column {
  get(index: number): unknown;
}

/** One row as it came from LanceDB, read with checked types. No Arrow value passes it. */
export class Row {
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #index: number;

  /** Columns are shared by all rows of a result: Arrow's own row objects look each cell's column up by name. */
  constructor(columns: ReadonlyMap<string, Column>, index: number) {
    this.#columns = columns;
    this.#index = index;
  }

  text(column: string): string {
    const value = this.#cell(column);
    if (typeof value !== "string") throw damaged(column);
    return value;
  }

  textOrNull(column: string): string | null {
    return this.#isNull(column) ? null : this.text(column);
  }

  number(column: string): number {
    const value = this.#cell(column);
    if (typeof value === "bigint") return Number(value);
    if (typeof value !== "number") throw damaged(column);
    return value;
  }

  numberOrNull(column: string): number | null {
    return this.#isNull(column) ? null : this.number(column);
  }

  flag(column: string): boolean {
    return this.#cell(column) === true;
  }

  /** A time as ISO 8601 in UTC. */
  time(column: string): string {
    return new Date(this.number(column)).toISOString();
  }

  timeOrNull(column: string): string | null {
    return this.#isNull(column) ? null : this.time(column);
  }

  list(column: string): string[] {
    const value = this.#cell(column);
    return isIterable(value) ? Array.from(value, String) : [];
  }

  /** A vector as it lies in what was read: whoever keeps it copies it. */
  floatsOrNull(column: string): Float32Array | null {
    const value = this.#cell(column);
    if (value === null || value === undefined || value instanceof Float32Array) return value ?? null;
    throw damaged(column);
  }

  vectorOrNull(column: string): number[] | null {
    const floats = this.floatsOrNull(column);
    return floats === null ? null : Array.from(floats);
  }

  metadata(column: string): Metadata {
    const value: Metadata = JSON.parse(this.text(column));
    return value;
  }

  /** A word of a closed set, such as a status. */
  oneOf<T extends string>(column: string, words: readonly T[]): T {
    const value = this.text(column);
    const known = words.find((word) => word === value);
    if (known === undefined) throw damaged(column);
    return known;
  }

  #cell(column: string): unknown {
    return this.#columns.get(column)?.get(this.#index);
  }

  #isNull(column: string): boolean {
    const value = this.#cell(column);
    return value === null || value === undefined;
  }
}

function cellOf(row: Row, column: string, kind: ColumnKind): Cells[string] {
  switch (kind) {
    case "number":
      return row.number(column);
    case "number?":
      return row.numberOrNull(column);
    case "flag":
      return row.flag(column);
    case "list":
    case "list?":
      return row.list(column);
    case "vector":
    case "vector?":
      return row.vectorOrNull(column);
    default:
      return row.textOrNull(column);
  }
}

/** The row as it was written, of these columns of a table. */
export function cellsOfRow(row: Row, columns: Columns, names: readonly string[]): Cells {
  const cells: Cells = {};
  for (const name of names) {
    const kind = columns[name];
    if (kind !== undefined) cells[name] = cellOf(row, name, kind);
  }
  return cells;
}

/**
 * Milliseconds since the epoch of an ISO 8601 text.
 * @throws InvalidInputError when it is none
 */
export function milliseconds(iso: string): number {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) throw new InvalidInputError(`${JSON.stringify(iso)} is no ISO 8601 time.`);
  return time;
}

export function millisecondsOrNull(iso: string | null): number | null {
  return iso === null ? null : milliseconds(iso);
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`);
  return `{${parts.join(",")}}`;
}

function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
