import { contentStems, findNames, findNumbers, hasCjk, hasNegation } from "../../language/index.js";
import type { MemoryEntry } from "../../records/index.js";

/** Words under which a statement holds, or by which it holds less or more. */
const BOUND_WORDS =
  /\b(?:if|unless|only|except|without|before|after|until|maybe|perhaps|probably|might|may|could|should|would|will|used to|wants?|hopes?|plans?|almost|nearly|more|less|at least|at most|under|over|above|below|never|always|sometimes|often|rarely|usually)\b|如果|除非|只|可能|也许|打算|以前|以后|之前|之后|想|最多|至少|总是|有时|经常|很少/giu;
const NOT_TEXT = /[^\p{L}\p{N}]+/gu;

/** What of a statement a text that stands for it must keep. */
export interface Details {
  /** Case, marks and spaces apart. */
  readonly key: string;
  readonly stems: readonly string[];
  /** Stems that tell what is said, not of whom or how much. */
  readonly telling: readonly string[];
  readonly numbers: ReadonlySet<string>;
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  readonly bounds: ReadonlySet<string>;
  readonly negated: boolean;
}

function keyOf(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(NOT_TEXT, " ").trim();
}

/** @param known names that stand in the text, as far as they do */
export function detailsOf(text: string, known: readonly string[]): Details {
  const found = findNames(text, [...known]);
  const names = [...found.persons, ...found.entities];
  const numbers = new Set(findNumbers(text));
  const stems = contentStems(text);
  const naming = new Set([...known, ...names].flatMap((name) => contentStems(name)));
  return {
    key: keyOf(text),
    stems,
    telling: stems.filter((stem) => !naming.has(stem) && !numbers.has(stem)),
    numbers,
    names: new Set(names.map((name) => name.toLowerCase())),
    bounds: new Set((text.match(BOUND_WORDS) ?? []).map((word) => word.toLowerCase())),
    negated: hasNegation(text),
  };
}

export function namesIn(entries: readonly MemoryEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ persons, entities }) => [...persons, ...entities]))];
}

/** Whether a name stands in the words, though it may be no name of that text for the one who looks for names. */
export function holdsName(name: string, { names, key }: Details): boolean {
  const words = keyOf(name);
  return names.has(name) || ` ${key} `.includes(hasCjk(words) ? words : ` ${words} `);
}

export function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((one) => right.has(one));
}
