import type { MemoryEntry } from "./entry.js";
import { type EntryVersion, isSameJson } from "./versions.js";

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A change from one value to another, made to a third: of lists and objects only what was added, removed or set. */
function carried(state: unknown, from: unknown, to: unknown): unknown {
  if (isSameJson(state, from)) return to;
  if (isList(state) && isList(from) && isList(to)) {
    const left = state.filter((one) => to.includes(one) || !from.includes(one));
    return [...left, ...to.filter((one) => !from.includes(one) && !left.includes(one))];
  }
  if (isRecord(state) && isRecord(from) && isRecord(to)) {
    const left = Object.entries(state).filter(([key]) => key in to || !(key in from));
    const set = Object.entries(to).filter(([key, value]) => !isSameJson(value, from[key]));
    return Object.fromEntries([...left, ...set]);
  }
  return to;
}

/** What a version did to the one before it (`from`), done to another state of the entry. */
export function replayed(state: MemoryEntry, from: MemoryEntry, { entry: to, changed }: EntryVersion): MemoryEntry {
  const [now, before, after] = [state, from, to].map((entry) => new Map<string, unknown>(Object.entries(entry)));
  const fields = changed.map((field) => [field, carried(now?.get(field), before?.get(field), after?.get(field))]);
  return { ...state, ...Object.fromEntries(fields), updatedAt: to.updatedAt };
}
