import { isDeepStrictEqual } from "node:util";
import { InvalidInputError, type Json, type Metadata } from "../../records/index.js";
import { toJson } from "./json.js";
import { isObject } from "./text-paths.js";

export type ItemFilter = Readonly<Record<string, unknown>>;
type Comparison = (actual: Json | undefined, expected: unknown) => boolean;

/** As `===`, and lists and objects by what they hold: a stored value is never the same object. */
function same(actual: Json | undefined, expected: unknown): boolean {
  if (actual === undefined || expected === undefined) return actual === expected;
  return actual === expected || isDeepStrictEqual(actual, toJson(expected, "a filter"));
}

function isAmong(actual: Json | undefined, expected: unknown): boolean {
  return Array.isArray(expected) && expected.some((one) => same(actual, one));
}

/** The operators of LangGraph's InMemoryStore, which compares size as numbers: texts that are none are never greater or less. */
const OPERATORS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ["$eq", same],
  ["$ne", (actual, expected) => !same(actual, expected)],
  ["$gt", (actual, expected) => Number(actual) > Number(expected)],
  ["$gte", (actual, expected) => Number(actual) >= Number(expected)],
  ["$lt", (actual, expected) => Number(actual) < Number(expected)],
  ["$lte", (actual, expected) => Number(actual) <= Number(expected)],
  ["$in", isAmong],
  ["$nin", (actual, expected) => !isAmong(actual, expected)],
]);

/** The comparisons that a condition means; a value is compared for equality. @throws InvalidInputError */
function comparisons(condition: unknown): readonly (readonly [Comparison, unknown])[] {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) return [[same, condition]];
  const parts = Object.entries(condition);
  if (parts.length > 0 && !parts.some(([name]) => name.startsWith("$"))) return [[same, condition]];
  return parts.map(([name, expected]) => {
    const operator = OPERATORS.get(name);
    if (operator !== undefined) return [operator, expected];
    throw new InvalidInputError(
      `a filter knows ${[...OPERATORS.keys()].join(", ")}, and no ${JSON.stringify(name)} among them.`,
    );
  });
}

/**
 * Whether each field of the filter holds for the value: a plain condition by equality, one with operators by all of
 * them. A missing field equals only `undefined`.
 * @throws InvalidInputError for an operator that is not known
 */
export function matchesFilter(value: Json, filter: ItemFilter): boolean {
  return Object.entries(filter).every(([field, condition]) => {
    const actual = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
    return comparisons(condition).every(([compare, expected]) => compare(actual, expected));
  });
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** The fields by which the store can select an item. */
export function plainFields(value: Json): Metadata {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, field]) => isPlain(field)));
}

/** The part of a filter that the store can check by itself. */
export function equalFields(filter: ItemFilter): Metadata {
  const equal: Record<string, Json> = {};
  for (const [field, condition] of Object.entries(filter)) {
    for (const [compare, expected] of comparisons(condition)) {
      if (compare === same && isPlain(expected)) equal[field] = expected;
    }
  }
  return equal;
}
