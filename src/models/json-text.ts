import { jsonrepair } from "jsonrepair";

const THOUGHT = /<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi;
const THOUGHT_END = /<\/(?:think|thinking|reasoning)>/gi;
const THOUGHT_START = /<(?:think|thinking|reasoning)>/i;
const FENCE = /```[a-z]*\s*([\s\S]*?)```/gi;

/** A reply without what the model thought aloud: closed blocks, orphaned ends, and beginnings that were never closed. */
export function withoutReasoning(text: string): string {
  let result = text.replace(THOUGHT, "");
  const ends = [...result.matchAll(THOUGHT_END)];
  const lastEnd = ends.at(-1);
  if (lastEnd !== undefined) result = result.slice(lastEnd.index + lastEnd[0].length);
  const start = THOUGHT_START.exec(result);
  return (start === null ? result : result.slice(0, start.index)).trim();
}

/** The end of the value that begins at `start`, or -1 when the text ends first. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isString) {
      if (character === "\\") index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

// The alternative takes every other escape whole, so that the "u" of an escaped backslash is not read as one.
const BAD_UNICODE_ESCAPE = /\\(?:(u)(?![\da-fA-F]{4})(\d[\da-zA-Z]{0,3})?|[\s\S])/g;

/**
 * Bad unicode escapes made readable: one with digits has lost its character (U+FFFD, which guards refuse), one without
 * is a backslash that was not escaped, as in a path.
 */
function withReadableEscapes(text: string): string {
  return text.replace(BAD_UNICODE_ESCAPE, (found: string, bad: string | undefined, digits: string | undefined) => {
    if (bad === undefined) return found;
    return digits === undefined ? `\\${found}` : "\\ufffd";
  });
}

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    try {
      return { value: JSON.parse(jsonrepair(withReadableEscapes(text))) };
    } catch {
      return null;
    }
  }
}

/** Whole objects of a list that was cut off. */
function wholeItems(text: string, start: number): unknown[] {
  const items: unknown[] = [];
  for (let index = start + 1; index < text.length; ) {
    const open = text.indexOf("{", index);
    if (open === -1) break;
    const end = endOfValue(text, open);
    if (end === -1) break;
    const item = parsed(text.slice(open, end));
    if (item !== null) items.push(item.value);
    index = end;
  }
  return items;
}

export interface JsonReply {
  readonly value: unknown;
  /** True when the text ended within the value: only whole items are here. */
  readonly isCutOff: boolean;
}

/** Starts of values, and how far each reaches. */
function valuesIn(text: string): { start: number; end: number }[] {
  const values: { start: number; end: number }[] = [];
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== "[" && text[index] !== "{") continue;
    values.push({ start: index, end: endOfValue(text, index) });
  }
  return values;
}

/**
 * The value in a model's reply that `fits`: the whole reply when it does, else the first such value in a fence or within
 * prose, else the whole items of a list that was cut off; null when there is none.
 * An empty value counts only when it is the whole reply: `fits` is told which it is.
 */
export function readJson(reply: string, fits: (value: unknown, isWhole: boolean) => boolean): JsonReply | null {
  const text = withoutReasoning(reply);
  if (text === "") return null;
  const fences = [...text.matchAll(FENCE)].map((match) => (match[1] ?? "").trim());
  const only = fences.length === 1 && text.replace(FENCE, "").trim() === "" ? (fences[0] ?? text) : text;
  const looksWhole = /^[[{]/.test(only) && endOfValue(only, 0) === only.length;
  const whole = looksWhole ? parsed(only) : null;
  if (whole !== null && fits(whole.value, true)) return { value: whole.value, isCutOff: false };
  const values = [...fences, text].flatMap((part) => valuesIn(part).map((place) => ({ part, ...place })));
  for (const { part, start, end } of values) {
    const found = end === -1 ? null : parsed(part.slice(start, end));
    if (found !== null && fits(found.value, false)) return { value: found.value, isCutOff: false };
  }
  for (const { part, start, end } of values) {
    if (end !== -1 || part[start] !== "[") continue;
    const items = wholeItems(part, start);
    if (fits(items, false)) return { value: items, isCutOff: true };
  }
  return null;
}
