import { epochOf, InvalidInputError, type MemoryFilter, type Trust } from "../records/index.js";
import { folded, metadataHash } from "./keys.js";
import type { ColumnKind } from "./schema.js";
import type { ExactScope, ReadFilter } from "./store.js";

/** A predicate in LanceDB's SQL. Only this file makes one. */
export type Predicate = string & { readonly __predicate: true };

/** A time range without a time of day, such as "2025-01-31". */
const BARE_DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
/** A double quote starts a string up to LanceDB 0.37 and an identifier from 0.38: no filter holds one. */
const DOUBLE_QUOTE_SQL = "chr(34)";

function predicate(sql: string): Predicate {
  return sql as Predicate;
}

/** A string literal. A quote is doubled; a backslash stands for itself; a double quote is spelled by its code. */
export function literal(value: string): string {
  const pieces = value.split('"').map((piece) => `'${piece.replaceAll("'", "''")}'`);
  return pieces.length === 1 ? pieces.join("") : `concat(${pieces.join(`, ${DOUBLE_QUOTE_SQL}, `)})`;
}

function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new InvalidInputError(`${value} is no finite number.`);
  return String(value);
}

/** Matches every row. */
export const EVERY_ROW: Predicate = predicate("true");
/** Matches no row. */
export const NO_ROW: Predicate = predicate("false");

/** All must hold; of none, every row matches. */
export function all(...parts: readonly Predicate[]): Predicate {
  const needed = parts.filter((part) => part !== EVERY_ROW);
  if (needed.includes(NO_ROW)) return NO_ROW;
  return needed.length === 0 ? EVERY_ROW : predicate(needed.map((part) => `(${part})`).join(" AND "));
}

/** One must hold; of none, no row matches. */
export function any(...parts: readonly Predicate[]): Predicate {
  if (parts.includes(EVERY_ROW)) return EVERY_ROW;
  return parts.length === 0 ? NO_ROW : predicate(parts.map((part) => `(${part})`).join(" OR "));
}

/** The column is exactly this text. Null never matches. */
export function equals(column: string, value: string): Predicate {
  return predicate(`${column} = ${literal(value)}`);
}

/** The column is one of these texts. An empty list matches nothing; null never matches. */
export function oneOf(column: string, values: readonly string[]): Predicate {
  return values.length === 0 ? NO_ROW : predicate(`${column} IN (${values.map(literal).join(", ")})`);
}

/** The column is another text. Null never matches. */
export function differs(column: string, value: string): Predicate {
  return predicate(`${column} <> ${literal(value)}`);
}

export function compares(column: string, sign: "<" | "<=" | ">" | ">=" | "=", value: number): Predicate {
  return predicate(`${column} ${sign} ${numeral(value)}`);
}

/** The text comes after this one, by code points. */
export function greaterText(column: string, value: string): Predicate {
  return predicate(`${column} > ${literal(value)}`);
}

/** A value of the last row that was read, in a column that orders the rows. */
export interface Place {
  readonly column: string;
  readonly value: string | number;
  /** For a number: the order falls. Default false. */
  readonly descending?: boolean;
}

/** Rows that come after this place, in an order by these columns. */
export function afterPlace([first, ...rest]: readonly Place[]): Predicate {
  if (first === undefined) return NO_ROW;
  const { column, value, descending = false } = first;
  const isNumber = typeof value === "number";
  const later = isNumber ? compares(column, descending ? "<" : ">", value) : greaterText(column, value);
  const same = isNumber ? compares(column, "=", value) : equals(column, value);
  return rest.length === 0 ? later : any(later, all(same, afterPlace(rest)));
}

export function isNull(column: string): Predicate {
  return predicate(`${column} IS NULL`);
}

export function isNotNull(column: string): Predicate {
  return predicate(`${column} IS NOT NULL`);
}

/** The list column holds one of the values. An empty list of values matches nothing. */
export function holdsAny(column: string, values: readonly string[]): Predicate {
  return values.length === 0
    ? NO_ROW
    : predicate(`array_has_any(${column}, make_array(${values.map(literal).join(", ")}))`);
}

/** The column is after `now`, or null (never ends). */
export function notEndedBy(column: string, now: number): Predicate {
  return any(isNull(column), compares(column, ">", now));
}

/** The column is before `moment`, or null (never was). */
function notSince(column: string, moment: number): Predicate {
  return any(isNull(column), compares(column, "<", moment));
}

/** The condition of a merge: the row that is there may be replaced. */
export function targetIsFree(owners: readonly string[], now: number): Predicate {
  return any(compares("target.lease_expires_at", "<=", now), oneOf("target.owner", owners));
}

/** The condition of a merge: the row that is there is this owner's. */
export function targetIsOwnedBy(owner: string): Predicate {
  return equals("target.owner", owner);
}

/** A value of an update. LanceDB takes literals and plain column names there, no CASE. */
export function sqlValue(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? numeral(value) : literal(value);
}

/** The value of an update that takes texts out of a list column; the others stay in their order. */
export function listWithout(column: string, values: readonly string[]): string {
  return `array_except(${column}, make_array(${values.map(literal).join(", ")}))`;
}

/** The value of a column that a table gets later, for the rows that are there. */
export function absentValue(kind: ColumnKind | undefined): string {
  return kind === "list?" ? "arrow_cast(NULL, 'List(Utf8)')" : "CAST(NULL AS STRING)";
}

/** Rows of exactly this tenant, user and agent. */
export function exactly(scope: ExactScope): Predicate {
  return all(ofUser(scope), equals("agent_id", scope.agentId));
}

/** Rows that the scope may read: its own, and those of the user without an agent. */
export function readableBy(scope: ExactScope): Predicate {
  return all(ofUser(scope), oneOf("agent_id", scope.agentId === "" ? [""] : [scope.agentId, ""]));
}

/** Rows of this tenant and user, of all agents. */
export function ofUser(user: { readonly tenantId: string; readonly userId: string }): Predicate {
  return all(equals("tenant_id", user.tenantId), equals("user_id", user.userId));
}

function instant(name: string, value: string): number {
  const time = epochOf(value);
  if (Number.isNaN(time)) {
    throw new InvalidInputError(
      `filter.${name} must be an ISO 8601 time such as "2025-01-31", got ${JSON.stringify(value)}.`,
    );
  }
  return time;
}

/** Where a table keeps what a filter names. A part that the table does not keep matches no row of it. */
export interface FilterColumns {
  /** Columns that `ids` may name. */
  readonly ids: readonly string[];
  /** Event time in ms: `timestamp`, else `mentionedAt`. */
  readonly time: string;
  readonly kind?: string;
  readonly status?: string;
  readonly topic?: string;
  readonly location?: string;
  /** List columns of folded names. */
  readonly persons?: string;
  readonly entities?: string;
  /** Raw turns: a person is found as the one who speaks (folded). */
  readonly personAsSpeaker?: string;
  /** List column of hashes, see metadataHash. */
  readonly metadata?: string;
  /** Text column of folded names. */
  readonly speaker: string;
  /** Where a row says whose words it is, and the values there that stand for a source. */
  readonly trust: { readonly column: string; readonly valuesOf: (trust: Trust) => readonly string[] };
  /** Column of a flag. */
  readonly pinned?: string;
  readonly confidence?: string;
  /** Columns of when a statement was true, in ms. */
  readonly validity?: { readonly from: string; readonly to: string };
  /** When a row's time is over, when it was changed, and when it was found last. */
  readonly upkeep?: { readonly expires: string; readonly changed: string; readonly accessed: string };
}

/** Raw turns are never pinned. */
function pinnedPart(columns: FilterColumns, pinned: boolean): Predicate {
  if (columns.pinned === undefined) return pinned ? NO_ROW : EVERY_ROW;
  return predicate(pinned ? columns.pinned : `NOT ${columns.pinned}`);
}

function trustPart({ trust }: FilterColumns, sources: readonly Trust[]): Predicate {
  return oneOf(trust.column, sources.flatMap(trust.valuesOf));
}

function sameFolded(column: string | undefined, value: string): Predicate {
  return column === undefined ? NO_ROW : equals(column, folded(value));
}

function asList<T>(value: T | readonly T[]): readonly T[] {
  return isList(value) ? value : [value];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

function timeParts(columns: FilterColumns, filter: MemoryFilter): Predicate[] {
  const parts: Predicate[] = [];
  if (filter.after !== undefined) parts.push(compares(columns.time, ">=", instant("after", filter.after)));
  if (filter.before !== undefined) {
    const end = instant("before", filter.before) + (BARE_DATE.test(filter.before) ? DAY_MS : 0);
    parts.push(compares(columns.time, "<", end));
  }
  return parts;
}

/** A table that keeps no such times has no row that maintenance asks for. */
function upkeepParts({ upkeep }: FilterColumns, filter: ReadFilter): Predicate[] {
  const { expiredBy, untouchedSince, changedSince, accessedSince } = filter;
  if ([expiredBy, untouchedSince, changedSince, accessedSince].every((part) => part === undefined)) return [];
  if (upkeep === undefined) return [NO_ROW];
  const parts: Predicate[] = [];
  if (expiredBy !== undefined) parts.push(compares(upkeep.expires, "<=", instant("expiredBy", expiredBy)));
  if (changedSince !== undefined) parts.push(compares(upkeep.changed, ">=", instant("changedSince", changedSince)));
  if (accessedSince !== undefined) parts.push(compares(upkeep.accessed, ">=", instant("accessedSince", accessedSince)));
  if (untouchedSince !== undefined) {
    const moment = instant("untouchedSince", untouchedSince);
    parts.push(compares(upkeep.changed, "<", moment), notSince(upkeep.accessed, moment));
  }
  return parts;
}

function nameParts(columns: FilterColumns, filter: MemoryFilter): Predicate[] {
  const parts: Predicate[] = [];
  if (filter.persons !== undefined) {
    const names = filter.persons.map(folded);
    const listed = columns.persons === undefined ? [] : [holdsAny(columns.persons, names)];
    const spoken = columns.personAsSpeaker === undefined ? [] : [oneOf(columns.personAsSpeaker, names)];
    parts.push(any(...listed, ...spoken));
  }
  if (filter.entities !== undefined) {
    parts.push(columns.entities === undefined ? NO_ROW : holdsAny(columns.entities, filter.entities.map(folded)));
  }
  return parts;
}

/** Since when a statement holds may be unknown. Raw turns are no statements. */
function validPart({ validity }: FilterColumns, at: string): Predicate {
  if (validity === undefined) return NO_ROW;
  const time = instant("validAt", at);
  return all(any(isNull(validity.from), compares(validity.from, "<=", time)), notEndedBy(validity.to, time));
}

/** Raw turns are always current: a filter that admits active rows admits them, another does not. */
function statusPart(columns: FilterColumns, status: readonly string[]): Predicate {
  if (columns.status !== undefined) return oneOf(columns.status, status);
  return status.includes("active") ? EVERY_ROW : NO_ROW;
}

/**
 * What a caller's filter means for a table. Every given part must hold.
 * - sessionId, kind, status, ids: exactly equal. persons, entities, speaker, topic, location: the whole name, without case.
 * - A list holds when one of its values does; an empty list therefore matches nothing.
 * - after is inclusive, before exclusive; a bare date as `before` includes that whole day in UTC.
 * - validAt: from validFrom (or never known) to validTo, exclusive; raw turns never match.
 * - trust: the source of an entry; of a turn, its role.
 * - metadata: each key has exactly this JSON value (the order of keys inside a value does not matter).
 * - A row whose column is null never matches a filter on it.
 *
 * What moves with the clock (`unexpiredAt`) is not in it: see Expiries.
 */
export function matches(columns: FilterColumns, filter: ReadFilter | undefined): Predicate {
  if (filter === undefined) return EVERY_ROW;
  const parts = [...timeParts(columns, filter), ...nameParts(columns, filter), ...upkeepParts(columns, filter)];
  const { ids } = filter;
  if (ids !== undefined) parts.push(any(...columns.ids.map((column) => oneOf(column, ids))));
  if (filter.sessionId !== undefined) parts.push(equals("session_id", filter.sessionId));
  if (filter.kind !== undefined) {
    parts.push(columns.kind === undefined ? NO_ROW : oneOf(columns.kind, asList(filter.kind)));
  }
  if (filter.status !== undefined) parts.push(statusPart(columns, asList(filter.status)));
  if (filter.validAt !== undefined) parts.push(validPart(columns, filter.validAt));
  if (filter.trust !== undefined) parts.push(trustPart(columns, asList(filter.trust)));
  if (filter.pinned !== undefined) parts.push(pinnedPart(columns, filter.pinned));
  if (filter.belowConfidence !== undefined) {
    parts.push(columns.confidence === undefined ? NO_ROW : compares(columns.confidence, "<", filter.belowConfidence));
  }
  if (filter.anyOf !== undefined) parts.push(any(...filter.anyOf.map((one) => matches(columns, one))));
  if (filter.speaker !== undefined) parts.push(sameFolded(columns.speaker, filter.speaker));
  if (filter.topic !== undefined) parts.push(sameFolded(columns.topic, filter.topic));
  if (filter.location !== undefined) parts.push(sameFolded(columns.location, filter.location));
  for (const [key, value] of Object.entries(filter.metadata ?? {})) {
    parts.push(columns.metadata === undefined ? NO_ROW : holdsAny(columns.metadata, [metadataHash(key, value)]));
  }
  return all(...parts);
}
