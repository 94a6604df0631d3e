import type { Json } from "../../records/index.js";
import type { ItemRow, ItemSelection, ItemTable } from "../../store/index.js";
import { equalFields, type ItemFilter, matchesFilter } from "./filter.js";

/** Vectors looked at for each item that is wanted: an item may have several, and a filter may leave some out. */
const VECTORS_PER_ITEM = 2;
/** When they did not suffice, so many times as many are looked at. */
const WIDENING = 8;
/** The store counts in 32 bits. */
const MOST_VECTORS = 2 ** 31 - 1;

export interface ItemSearch {
  readonly prefix: readonly string[];
  readonly filter: ItemFilter;
  /** null: no ranking, items come in the order of creation. */
  readonly vector: readonly number[] | null;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundItem {
  readonly row: ItemRow;
  readonly score?: number;
}

function fits(row: ItemRow, filter: ItemFilter): boolean {
  const value: Json = JSON.parse(row.json);
  return matchesFilter(value, filter);
}

/** The best items by meaning: `count` of them, or all that have a vector. */
async function bestItems(
  items: ItemTable,
  selection: ItemSelection,
  filter: ItemFilter,
  vector: readonly number[],
  count: number,
): Promise<readonly FoundItem[]> {
  for (let vectors = (count + 1) * VECTORS_PER_ITEM; ; vectors *= WIDENING) {
    const { items: nearest, complete } = await items.nearest(vector, selection, Math.min(vectors, MOST_VECTORS));
    const found = nearest.filter(({ row }) => fits(row, filter));
    if (complete || found.length >= count) return found.slice(0, count);
  }
}

function placeOf({ namespace, key }: ItemRow): string {
  return JSON.stringify([namespace, key]);
}

/**
 * Items under a prefix that meet the filter. With a vector the items that have vectors come first, best first, and the
 * others follow in the order of creation, without a score.
 */
export async function findItems(items: ItemTable, search: ItemSearch, now: number): Promise<readonly FoundItem[]> {
  const { prefix, filter, vector, limit, offset } = search;
  const count = offset + limit;
  const selection = { prefix, equal: equalFields(filter), now };
  if (limit === 0) return [];
  const ranked = vector === null ? [] : await bestItems(items, selection, filter, vector, count);
  if (ranked.length === count) return ranked.slice(offset);
  const isRanked = new Set(ranked.map(({ row }) => placeOf(row)));
  const others = (await items.list(selection)).filter((row) => !isRanked.has(placeOf(row)) && fits(row, filter));
  return [...ranked, ...others.map((row) => ({ row }))].slice(offset, count);
}
