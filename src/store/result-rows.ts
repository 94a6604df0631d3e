import type * as Arrow from "apache-arrow";
import { type Column, Row } from "./row.js";
import { vectorLength } from "./schema.js";

/**
 * LanceDB's own name of a row, for ever that of one content: who changes a row or folds its file writes it anew under another
 * id, and no id is given twice.
 */
export const ROW_ID = "_rowid";

interface Selecting {
  withRowId(): this;
  select(columns: string[]): this;
}

/** The query for these columns; row ids have to be asked for by themselves. */
export function selecting<T extends Selecting>(query: T, columns: readonly string[]): T {
  const wanted = columns.includes(ROW_ID) ? query.withRowId() : query;
  return wanted.select([...columns]);
}

const VECTOR = "vector";

/** A result, or a part of one as it streams in. */
interface Found {
  readonly numRows: number;
  readonly schema: Arrow.Schema;
  getChild(name: string): Arrow.Vector | null;
}

/** The vectors of a result, row by row, without Arrow's vector objects, of which each would cost more than a comparison. */
function vectorsOf(found: Found): Column {
  const chunks: readonly Arrow.Data[] = found.getChild(VECTOR)?.data ?? [];
  const size = vectorLength(found.schema) ?? 0;
  const vectors = chunks.flatMap((chunk) => {
    const [items] = chunk.children;
    const values: unknown = items?.values;
    return Array.from({ length: chunk.length }, (_, index) => {
      if (!(values instanceof Float32Array) || !chunk.getValid(index)) return null;
      const start = (chunk.offset + index) * size;
      return values.subarray(start, start + size);
    });
  });
  return { get: (index) => vectors[index] ?? null };
}

export function rowsOf(found: Found): readonly Row[] {
  const columns = new Map<string, Column>();
  for (const { name } of found.schema.fields) {
    const column = name === VECTOR ? vectorsOf(found) : found.getChild(String(name));
    if (column !== null) columns.set(String(name), column);
  }
  return Array.from({ length: found.numRows }, (_, index) => new Row(columns, index));
}
