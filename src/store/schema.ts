import type * as Arrow from "apache-arrow";
import { StoreVersionError } from "../records/index.js";

/**
 * Kinds of columns. Times and counts are Float64, because int64 comes back as BigInt; milliseconds since the epoch and
 * counts up to 2^53 are exact in it.
 */
export type ColumnKind =
  | "key"
  | "text"
  | "text?"
  | "number"
  | "number?"
  | "flag"
  | "list"
  | "list?"
  | "vector"
  | "vector?";

/** The columns of a table, in their order. Every table is made from such a list, never from sample rows. */
export type Columns = { readonly [column: string]: ColumnKind };

/** A row as it is handed to LanceDB. */
export type Cells = Record<string, string | number | boolean | null | readonly string[] | readonly number[]>;

export const SCOPE_COLUMNS = { tenant_id: "text", user_id: "text", agent_id: "text" } as const satisfies Columns;

/** With this mark LanceDB sees two inserts of one new key as a conflict, also between processes. */
const PRIMARY_KEY_MARK = "lance-schema:unenforced-primary-key";

function field(arrow: typeof Arrow, name: string, kind: ColumnKind, dimension: number): Arrow.Field {
  switch (kind) {
    case "key":
      return new arrow.Field(name, new arrow.Utf8(), false, new Map([[PRIMARY_KEY_MARK, "true"]]));
    case "text":
    case "text?":
      return new arrow.Field(name, new arrow.Utf8(), kind === "text?");
    case "number":
    case "number?":
      return new arrow.Field(name, new arrow.Float64(), kind === "number?");
    case "flag":
      return new arrow.Field(name, new arrow.Bool(), false);
    case "list":
    case "list?":
      return new arrow.Field(name, new arrow.List(new arrow.Field("item", new arrow.Utf8(), true)), kind === "list?");
    case "vector":
    case "vector?": {
      const item = new arrow.Field("item", new arrow.Float32(), true);
      return new arrow.Field(name, new arrow.FixedSizeList(dimension, item), kind === "vector?");
    }
  }
}

/** @param dimension length of the vector columns; ignored by tables without one */
export function arrowSchema(arrow: typeof Arrow, columns: Columns, dimension: number): Arrow.Schema {
  return new arrow.Schema(Object.entries(columns).map(([name, kind]) => field(arrow, name, kind, dimension)));
}

function shapeOf(schema: Pick<Arrow.Schema, "fields">): string {
  return schema.fields
    .map((one) => `${one.name} ${String(one.type).replace(/\[\d+\]/, "[]")}`)
    .sort()
    .join(", ");
}

/** Those of the columns that the table on disk lacks. */
export function missingColumns(found: Arrow.Schema, columns: readonly string[]): readonly string[] {
  return columns.filter((name) => found.fields.every((field) => field.name !== name));
}

function without({ fields }: Arrow.Schema, columns: readonly string[]): Pick<Arrow.Schema, "fields"> {
  return { fields: fields.filter((field) => !columns.includes(field.name)) };
}

/**
 * @param added columns that a table of an earlier version may lack
 * @throws StoreVersionError when the table on disk is not one that this library made
 */
export function checkSchema(
  table: string,
  found: Arrow.Schema,
  expected: Arrow.Schema,
  added: readonly string[] = [],
): void {
  const missing = missingColumns(found, added);
  if (shapeOf(found) === shapeOf(without(expected, missing))) return;
  throw new StoreVersionError(
    `the table "${table}" exists with other columns than this version writes. It was left unchanged; open another folder, or the version of the library that made it.`,
  );
}

/** Length of the vectors of a table, or null when it has none. */
export function vectorLength(schema: Arrow.Schema): number | null {
  const type: unknown = schema.fields.find((one) => one.name === "vector")?.type;
  if (typeof type !== "object" || type === null || !("listSize" in type)) return null;
  return Number(type.listSize);
}
