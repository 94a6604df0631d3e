import { contentStems, detectLanguage } from "../../language/index.js";
import type { QuestionType } from "../../records/index.js";

const TYPES: readonly (readonly [QuestionType, RegExp])[] = [
  ["count", /\bhow (?:many|much|often|old|long(?!\s+ago))\b|多少|多大|多久|几[个次只本条位年天岁]/i],
  [
    "when",
    /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long ago\b|什么时候|哪天|哪一天|何时|几[月号点]|哪年/i,
  ],
  ["where", /\bwhere\b|\b(?:what|which) (?:city|country|place|town|street)\b|哪里|哪儿|什么地方|在哪/i],
  ["who", /\bwho(?:m|se)?\b|谁|哪位/i],
  ["reason", /\bwhy\b|\bwhat (?:made|caused|led)\b|\bhow come\b|为什么|为何|怎么会/i],
  [
    "list",
    /\b(?:what|which) (?:are|were|all|other|kinds|types|sorts)\b|\b(?:what|which) (?!(?:is|was|does|has|did|do|had|can|will|would|could|should|might|helps|makes|happens|inspires|motivates)\b)(?:\p{Ll}+ )?(?!(?:is|was|does|has|helps|makes)\b)\p{Ll}{2,}[^su\s]s\b(?!['’])|\b(?:list|name) (?:all|the)\b|哪些|有什么/iu,
  ],
  [
    "yes_no",
    /^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b|(?:吗|(?<![什怎这那多要])么)\s*[?？]?\s*$|是不是|有没有/i,
  ],
  ["what", /\bwhat\b|\bwhich\b|什么|哪个|怎么|怎样/i],
];

/** A question about telling is the question that it holds: "Can you tell me when …". */
const POLITE = /^\s*(?:can|could|would|will|do) you (?:please )?(?:tell|say|remember|remind|know)\b/i;

/** What a question asks for: the word that asks first decides, so that a clause such as "when she is ill" does not. */
export function questionTypeOf(question: string): QuestionType {
  const text = question.replace(POLITE, "");
  let first: { readonly type: QuestionType; readonly at: number } | null = null;
  for (const [type, pattern] of TYPES) {
    const at = text.search(pattern);
    if (at >= 0 && (first === null || at < first.at)) first = { type, at };
  }
  return first?.type ?? "open";
}

const LEAD =
  /^\s*(?:(?:and|so|but|ok|okay|well),?\s+)?(?:(?:(?:can|could|would) you )?(?:please )?tell me(?: about)?\s+)?(?:(?:what|when|where|who|whom|whose|which|why|how(?:\s+(?:many|much|often|long|old))?)\b\s*)?(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|kind of|type of)\b\s*)?/i;
/** Words that ask, and so cannot stand in an answer. */
const ASKING =
  /\bhow (?:many|much|often|long|old)\b|\b(?:what|which) (?:time|date|day|month|year|kinds? of|types? of)\b|\btell me(?: about)?\b/gi;
const ASKING_CHINESE =
  /什么时候|什么地方|为什么|怎么[会样]?|怎样|什么|哪里|哪儿|哪些|哪一?[个位天年]|多少|多大|多久|何时|为何|几[个次只本条位年月天点号岁]?|是不是|有没有|谁|吗|呢/g;

/** The question without its leading question word and auxiliary: what is left lies nearer to an answer. */
export function withoutLead(question: string): string {
  const rest = question
    .replace(LEAD, "")
    .replace(ASKING_CHINESE, " ")
    .replace(/[?？\s]+$/u, "")
    .trim();
  return contentStems(rest).length === 0 ? question : rest;
}

/** Stems of the words that an answer must hold: those of the question that do not ask. */
export function tellingStems(question: string): string[] {
  const rest = question.replace(ASKING, " ").replace(ASKING_CHINESE, " ");
  const stems = [...new Set(contentStems(rest))];
  return stems.length > 0 ? stems : [...new Set(contentStems(question))];
}

const SEVERAL =
  /\b(?:and|both|after|before|since|while|compare|difference|between|because|then)\b|之后|之前|以及|和.*都|区别|比较/i;
/** "This week" is a time, and "said that" joins sentences: neither points back. */
const POINTS =
  /(?<!\b(?:say|said|says|think|thought|know|knew|tell|told|mention|mentioned|hope|hoped)(?: \w+)? )\b(?:that|this|those|these)\b(?! (?:week|month|year|morning|afternoon|evening|weekend|spring|summer|autumn|winter)\b)/i;
const STANDS_FOR_A_THING =
  /\b(?:it|its|there|then|last time|the same|the other one|the former|the latter|just now|again)\b|那[个件次天里边些]|这[个件次里边些]|它|上次|刚才|之前(?:说|提)|前面/i;
const STANDS_FOR_A_PERSON = /\b(?:they|he|she|him|her|them|his|hers|their)\b|他|她/i;

/**
 * True when the question points at something that only the conversation so far can tell. A pronoun for a person may stand
 * for one whom the question names.
 */
export function refersBack(question: string, personsNamed = 0): boolean {
  return (
    POINTS.test(question) ||
    STANDS_FOR_A_THING.test(question) ||
    (personsNamed === 0 && STANDS_FOR_A_PERSON.test(question))
  );
}

/** How much must be joined for an answer: 0 for one lookup, 1 for several facts. */
export function complexityOf(question: string, type: QuestionType, persons: number): number {
  let complexity = 0.2;
  if (type === "list" || type === "count") complexity += 0.25;
  if (type === "reason" || type === "open") complexity += 0.2;
  if (SEVERAL.test(question)) complexity += 0.2;
  if (persons > 1) complexity += 0.15;
  const length = detectLanguage(question) === "zh" ? question.length / 2 : question.split(/\s+/).length;
  if (length > 18) complexity += 0.15;
  return Math.min(1, complexity);
}
