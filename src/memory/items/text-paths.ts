import type { Json } from "../../records/index.js";

/** `[0]`, `[-1]`, `[*]` · `{a,b.c}` · a name, or `*` for all. */
const STEP = /\[([^\]]*)\]|\{([^}]*)\}|([^.[{]+)/g;
const ROOT = /^\$\.?/;

type Step =
  | { readonly kind: "element"; readonly index: string }
  | { readonly kind: "fields"; readonly paths: readonly string[] }
  | { readonly kind: "name"; readonly name: string };

type JsonObject = { readonly [key: string]: Json };

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stepsOf(path: string): readonly Step[] {
  return Array.from(path.replace(ROOT, "").matchAll(STEP), ([, index, fields, name]): Step => {
    if (index !== undefined) return { kind: "element", index };
    if (fields !== undefined) return { kind: "fields", paths: fields.split(",").map((field) => field.trim()) };
    return { kind: "name", name: name ?? "" };
  });
}

function elements(value: Json, index: string): readonly Json[] {
  if (!isList(value)) return [];
  if (index === "*") return value;
  const element = value.at(Number.parseInt(index, 10));
  return element === undefined ? [] : [element];
}

function named(value: Json, name: string): readonly Json[] {
  if (name === "*") return isList(value) ? value : isObject(value) ? Object.values(value) : [];
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? [] : [found];
}

function follow(value: Json, step: Step): readonly Json[] {
  if (step.kind === "element") return elements(value, step.index);
  if (step.kind === "name") return named(value, step.name);
  return step.paths.flatMap((path) => valuesAt(value, path));
}

function valuesAt(value: Json, path: string): readonly Json[] {
  return stepsOf(path).reduce<readonly Json[]>((values, step) => values.flatMap((one) => follow(one, step)), [value]);
}

function textOf(value: Json): readonly string[] {
  if (value === null) return [];
  return [typeof value === "object" ? JSON.stringify(value, null, 2) : String(value)];
}

/**
 * The texts of a value at a path: `$` is the whole value, `a.b` a field in a field, `a[0]`, `a[-1]` and `a[*]` elements of
 * a list, `*` all fields, `{a,b}` several. Numbers and flags are written out, lists and objects as JSON; what is missing,
 * null or blank gives no text.
 */
export function textsAt(value: Json, path: string): readonly string[] {
  return valuesAt(value, path)
    .flatMap(textOf)
    .filter((text) => text.trim() !== "");
}
