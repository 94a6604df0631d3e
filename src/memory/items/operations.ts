import type {
  GetOperation,
  ListNamespacesOperation,
  Operation,
  PutOperation,
  SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { InvalidInputError, type Json } from "../../records/index.js";
import type { ItemPlace } from "../../store/index.js";
import type { ItemFilter } from "./filter.js";
import { toJson } from "./json.js";
import { checkConditions, checkNamespace, type ListRequest } from "./namespaces.js";

const DEFAULT_SEARCH_LIMIT = 10;

/** A put that says how long its item lives. */
export interface SimpleMemPutOperation extends PutOperation {
  /** Minutes; null: for ever. Absent: the store's `ttl.defaultTtl`. */
  ttl?: number | null;
}

export interface GetStep {
  readonly kind: "get";
  readonly place: ItemPlace;
}

export interface PutStep {
  readonly kind: "put";
  readonly place: ItemPlace;
  readonly value: Json;
  readonly index: false | readonly string[] | undefined;
  /** Minutes. */
  readonly ttl: number | null | undefined;
}

export interface DeleteStep {
  readonly kind: "delete";
  readonly place: ItemPlace;
}

export interface SearchStep {
  readonly kind: "search";
  readonly prefix: readonly string[];
  readonly filter: ItemFilter;
  /** "" when the items are not ranked. */
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
}

export interface ListStep {
  readonly kind: "list";
  readonly request: ListRequest;
}

/** One operation, checked. */
export type Step = GetStep | PutStep | DeleteStep | SearchStep | ListStep;

function placeOf(operation: GetOperation | PutOperation): ItemPlace {
  const { namespace, key } = operation;
  if (typeof key !== "string") throw new InvalidInputError(`the key of an item must be a string, got ${typeof key}.`);
  return { namespace: checkNamespace(namespace, { allowEmpty: false }), key };
}

function count(name: string, value: number | undefined, fallback: number): number {
  const wanted = value ?? fallback;
  if (wanted === Number.POSITIVE_INFINITY || (Number.isInteger(wanted) && wanted >= 0)) return wanted;
  throw new InvalidInputError(`${name} must be a whole number from 0, or Infinity, got ${String(wanted)}.`);
}

function minutes(ttl: number | null | undefined): number | null | undefined {
  if (ttl === undefined || ttl === null || (Number.isFinite(ttl) && ttl > 0)) return ttl;
  throw new InvalidInputError(`ttl is a number of minutes above 0, or null, got ${String(ttl)}.`);
}

function indexOf(index: PutOperation["index"]): PutStep["index"] {
  // LangGraph's own store takes null as absent.
  if (index === undefined || index === null || index === false) return index ?? undefined;
  if (Array.isArray(index) && index.every((path) => typeof path === "string")) return index;
  throw new InvalidInputError("index must be false or a list of paths.");
}

function putStep(operation: SimpleMemPutOperation): Step {
  const place = placeOf(operation);
  if (operation.value === null) return { kind: "delete", place };
  const value = toJson(operation.value, "the value of an item");
  return { kind: "put", place, value, index: indexOf(operation.index), ttl: minutes(operation.ttl) };
}

function searchStep(operation: SearchOperation): Step {
  const { namespacePrefix, filter, limit, offset, query } = operation;
  return {
    kind: "search",
    prefix: checkNamespace(namespacePrefix, { allowEmpty: true }),
    filter: filter ?? {},
    query: query?.trim() ?? "",
    limit: count("limit", limit, DEFAULT_SEARCH_LIMIT),
    offset: count("offset", offset, 0),
  };
}

function listStep(operation: ListNamespacesOperation): Step {
  const { matchConditions, maxDepth, limit, offset } = operation;
  const request = {
    conditions: checkConditions(matchConditions ?? []),
    limit: count("limit", limit, Number.POSITIVE_INFINITY),
    offset: count("offset", offset, 0),
  };
  return { kind: "list", request: maxDepth === undefined ? request : { ...request, maxDepth } };
}

/**
 * What an operation asks for. LangGraph's operations carry no kind: they are told apart by their fields.
 * @throws InvalidNamespaceError | InvalidInputError
 */
export function readOperation(operation: Operation): Step {
  if ("namespacePrefix" in operation) return searchStep(operation);
  if ("value" in operation) return putStep(operation);
  if ("key" in operation) return { kind: "get", place: placeOf(operation) };
  return listStep(operation);
}
