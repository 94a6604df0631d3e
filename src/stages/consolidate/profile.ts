import { contentStems, findNames, findNumbers, hasCjk, hasNegation } from "../../language/index.js";
import type { ExtractedItem } from "../../records/index.js";
import type { Slot } from "./slot.js";
import { slotOf } from "./slots.js";

/** What of a statement must agree before two of them may be taken for one. */
export interface Profile {
  readonly text: string;
  /** Content stems in the order of the words. */
  readonly stems: readonly string[];
  readonly numbers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Words that bound a statement: "only", "if", "before". */
  readonly bounds: string;
  readonly negated: boolean;
  readonly slot: Slot | null;
}

const BOUND_WORDS =
  /\b(?:if|unless|only|except|without|before|after|until|maybe|perhaps|probably|might|may|could|should|would|will|used to|wants?|hopes?|plans?|almost|nearly|more|less|at least|at most|under|over|above|below)\b|如果|除非|只|可能|也许|打算|以前|以后|之前|之后|想|最多|至少/giu;
const NOT_TEXT = /[^\p{L}\p{N}]+/gu;

/** The text without case, marks and spaces: equal keys are the same words. */
export function textKey(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(NOT_TEXT, " ").trim();
}

/** @param item its restatement is read, and its persons and entities are taken as known names */
export function profileOf(item: ExtractedItem): Profile {
  const text = item.losslessRestatement;
  const found = findNames(text, [...item.persons, ...item.entities]);
  const names = [...found.persons, ...found.entities].map((name) => name.toLowerCase());
  return {
    text: textKey(text),
    stems: [...contentStems(text)],
    numbers: new Set(findNumbers(text)),
    names: new Set(names),
    bounds: (text.toLowerCase().match(BOUND_WORDS) ?? []).join(" "),
    negated: hasNegation(text),
    slot: slotOf(text),
  };
}

/** Whether every element of `part` is in `whole`. */
export function isSubset<T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean {
  return [...part].every((element) => whole.has(element));
}

/** Whether every name of `part` is one of `whole`, or stands in its words: a model lists the names of one entry and not of the next. */
export function holdsNames(part: Profile, whole: Profile): boolean {
  const words = ` ${whole.text} `;
  return [...part.names].every((name) => {
    const key = textKey(name);
    return whole.names.has(name) || words.includes(hasCjk(key) ? key : ` ${key} `);
  });
}

/** Whether the words of `part` come in `whole`, in the same order: who gave whom stays who gave whom. */
export function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const word of whole) if (word === part[next]) next += 1;
  return next === part.length;
}

/** Share of the stems of both that both have, 0 to 1. */
export function jaccard(left: readonly string[], right: readonly string[]): number {
  const first = new Set(left);
  const second = new Set(right);
  const shared = [...first].filter((stem) => second.has(stem)).length;
  const total = first.size + second.size - shared;
  return total === 0 ? 0 : shared / total;
}
