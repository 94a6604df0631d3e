import type { Page } from "../records/index.js";

/** Rows that are read at once where some of them may be left out. */
const MIN_READ = 100;

/** Which page is asked for. */
export interface PageRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * A page of what is made of rows, some of which come to nothing: it is filled to its limit as long as there are rows.
 * @param read gives rows from a cursor on
 * @param made tells for each row, in their order, what is made of it; null: nothing
 */
export async function fullPage<Row, Item>(
  read: (request: PageRequest) => Promise<Page<Row>>,
  made: (rows: readonly Row[]) => Promise<readonly (Item | null)[]>,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let from = cursor === undefined ? {} : { cursor };
  for (;;) {
    const rows = await read(limit === undefined ? from : { ...from, limit: Math.max(limit - items.length, MIN_READ) });
    for (const [index, item] of (await made(rows.items)).entries()) {
      if (item !== null) items.push(item);
      if (items.length !== limit) continue;
      // The cursor stands behind the last row that was used, which need not be the last that was read.
      const isLast = index === rows.items.length - 1;
      const end = isLast ? rows.cursor : (await read({ ...from, limit: index + 1 })).cursor;
      return end === undefined ? { items } : { items, cursor: end };
    }
    if (rows.cursor === undefined) return { items };
    from = { cursor: rows.cursor };
  }
}
