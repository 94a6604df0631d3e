import { jsonrepair } from "jsonrepair";
import { type Span, spansOf } from "./json-scan.js";
import { withoutReasoning } from "./reasoning.js";

// The alternative takes every other escape whole, so that the "u" of an escaped backslash is not read as one.
const BAD_UNICODE_ESCAPE = /\\(?:(u)(?![\da-fA-F]{4})(\d[\da-zA-Z]{0,3})?|[\s\S])/g;
const FENCE = "```";
const FENCE_LABEL = /^[\w-]{0,20}[ \t]*\r?\n?/;
/** A bracket of prose that is never closed may hide what follows: the scan begins again behind it, this often at most. */
const MAX_SCANS = 6;
/** Characters that are parsed at most, as a multiple of the reply: nested values are parsed once for each level. */
const MAX_PARSED = 16;

/** What is looked for in a reply. */
export interface WantedJson {
  /** Whether a value is an answer; an empty one only when it is the whole reply. */
  readonly fits: (value: unknown, isWhole: boolean) => boolean;
  /** One value of several that fit, in the order of the reply. Default: the last, since drafts come first. */
  readonly join?: (values: readonly unknown[]) => unknown;
}

export interface JsonReply {
  readonly value: unknown;
  /** True when the text ended within the value: only whole items are here. */
  readonly isCutOff: boolean;
  /** True when something was begun after the value and never ended. */
  readonly endsOpen: boolean;
}

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

function strictlyParsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function parsed(text: string): { readonly value: unknown } | null {
  const strict = strictlyParsed(text);
  if (strict !== null) return strict;
  try {
    return { value: JSON.parse(jsonrepair(withReadableEscapes(text))) };
  } catch {
    return null;
  }
}

/** The text within the one fence that is all there is; else the text. */
function withoutOnlyFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text;
  const body = text.slice(FENCE.length, -FENCE.length);
  return body.includes(FENCE) ? text : body.replace(FENCE_LABEL, "").trim();
}

/** Looks through the spans of one reply, and parses no more than its budget. */
class Finder {
  #budget: number;
  readonly #text: string;
  readonly #wanted: WantedJson;

  constructor(text: string, wanted: WantedJson) {
    this.#text = text;
    this.#wanted = wanted;
    this.#budget = MAX_PARSED * text.length + 1000;
  }

  find(): JsonReply | null {
    let from = 0;
    for (let scan = 0; scan < MAX_SCANS; scan++) {
      const spans = spansOf(this.#text, from);
      const found = this.#among(spans);
      if (found !== null) return found;
      const hiding = spans.find((span) => !span.isClosed);
      if (hiding === undefined) return null;
      from = hiding.start + 1;
    }
    return null;
  }

  /** All outermost values that fit, and the whole items of a list that the text ended in. */
  #among(spans: readonly Span[]): JsonReply | null {
    const values: unknown[] = [];
    let isCutOff = false;
    let reached = 0;
    for (const [index, span] of spans.entries()) {
      if (span.start < reached) continue;
      const value = (span.isClosed ? this.#parse(span) : undefined) ?? this.#listAt(spans, index);
      if (value === undefined || !this.#wanted.fits(value, false)) continue;
      values.push(value);
      reached = span.end;
      isCutOff ||= !span.isClosed;
    }
    if (values.length === 0) return null;
    const value = values.length === 1 ? values[0] : (this.#wanted.join?.(values) ?? values.at(-1));
    return { value, isCutOff, endsOpen: spans.some((span) => !span.isClosed && span.start >= reached) };
  }

  #parse({ start, end }: Span): unknown {
    this.#budget -= end - start;
    return this.#budget < 0 ? undefined : parsed(this.#text.slice(start, end))?.value;
  }

  /** The items of a list that cannot be parsed as a whole: what is no JSON among them is handed on as its text. */
  #listAt(spans: readonly Span[], opener: number): unknown[] | undefined {
    const list = spans[opener];
    if (list === undefined || this.#text[list.start] !== "[" || this.#budget < 0) return undefined;
    const items: unknown[] = [];
    let reached = list.start;
    for (let index = opener + 1; index < spans.length; index++) {
      const span = spans[index];
      // What was left open is where the text ended: an item that holds it is not whole.
      if (span === undefined || !span.isClosed || span.start >= list.end) break;
      if (span.start < reached) continue;
      items.push(this.#parse(span) ?? this.#text.slice(span.start, span.end));
      reached = span.end;
    }
    return items;
  }
}

/** The whole reply as a value, also when it was encoded twice. */
function wholeValue(text: string): { readonly value: unknown } | null {
  const only = withoutOnlyFence(text);
  const [outer] = /^[[{]/.test(only) ? spansOf(only) : [];
  // Repairing what was never closed would complete an item that the model did not finish.
  const looksWhole = outer?.isClosed === true && outer.end === only.length;
  const whole = looksWhole || only.startsWith('"') ? parsedWhole(only, looksWhole) : null;
  return typeof whole?.value === "string" ? strictlyParsed(whole.value) : whole;
}

function parsedWhole(text: string, mayBeRepaired: boolean): { readonly value: unknown } | null {
  return mayBeRepaired ? parsed(text) : strictlyParsed(text);
}

function answered(value: unknown): JsonReply {
  return { value, isCutOff: false, endsOpen: false };
}

/**
 * The value in a model's reply that fits: the whole reply when it does, else what fits within prose and fences, else the
 * whole items of a list that was cut off; null when there is none. Takes time in proportion to the reply.
 */
export function readJson(reply: string, wanted: WantedJson): JsonReply | null {
  // A reply that is JSON as it stands may speak of <think> tags in its strings.
  const strict = strictlyParsed(reply);
  if (strict !== null && wanted.fits(strict.value, true)) return answered(strict.value);
  const text = withoutReasoning(reply);
  if (text === "") return null;
  const whole = wholeValue(text);
  if (whole !== null && wanted.fits(whole.value, true)) return answered(whole.value);
  return new Finder(text, wanted).find();
}
