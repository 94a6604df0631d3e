import { z } from "zod/v4";
import { InvalidInputError } from "../records/index.js";
import { afterPlace, type Predicate } from "./filter.js";
import type { Row } from "./row.js";

/** How the rows of a list are ordered: by numbers, the most telling first and, where all of these are equal, by the key. */
export interface PageOrder {
  readonly columns: readonly string[];
  readonly key: string;
  readonly descending?: boolean;
}

const cursorSchema = z.object({ by: z.array(z.string()), at: z.array(z.number()), key: z.string() });
type Place = z.infer<typeof cursorSchema>;

/** What `orderBy` takes. */
export function orderOf({ columns, key, descending = false }: PageOrder) {
  return [...columns.map((column) => ({ column, descending })), { column: key }];
}

/** Names the row, for the page after it. */
export function cursorAt(row: Row, { columns, key }: PageOrder): string {
  const place: Place = { by: [...columns], at: columns.map((column) => row.number(column)), key: row.text(key) };
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function placeOf(cursor: string, { columns }: PageOrder): Place {
  try {
    const place = cursorSchema.safeParse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    if (place.success && place.data.by.join() === columns.join()) return place.data;
  } catch {
    // Told below, together with a cursor of the wrong shape.
  }
  throw new InvalidInputError(
    `${JSON.stringify(cursor)} is no cursor of this call; pass the one that its last page gave.`,
  );
}

/** Rows that come after the one that a cursor names. @throws InvalidInputError for a text that is none, or of another order */
export function beyond(cursor: string, order: PageOrder): Predicate {
  const { at, key } = placeOf(cursor, order);
  const { descending = false } = order;
  const numbers = order.columns.map((column, index) => ({ column, value: at[index] ?? 0, descending }));
  return afterPlace([...numbers, { column: order.key, value: key }]);
}
