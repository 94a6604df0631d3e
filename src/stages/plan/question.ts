import { contentStems, detectLanguage } from "../../language/index.js";
import type { QuestionType } from "../../records/index.js";

const TYPES: readonly (readonly [QuestionType, RegExp])[] = [
  ["count", /\bhow (?:many|much)\b|\bhow often\b|多少|几[个次只本条位年月天]/i],
  [
    "when",
    /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long ago\b|什么时候|哪天|哪一天|何时|几月|几号|哪年/i,
  ],
  ["where", /\bwhere\b|\b(?:what|which) (?:city|country|place|town|street)\b|哪里|哪儿|什么地方|在哪/i],
  ["who", /\bwho(?:m|se)?\b|谁|哪位/i],
  ["reason", /\bwhy\b|\bwhat (?:made|caused|led)\b|\bhow come\b|为什么|为何|怎么会/i],
  [
    "list",
    /\b(?:what|which) (?:are|were|all|other|kinds?|types?|activities|things|books|places|items|hobbies)\b|\b(?:list|name) (?:all|the)\b|哪些|有什么/i,
  ],
  [
    "yes_no",
    /^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b|[吗么]\s*[?？]?\s*$|是不是|有没有/i,
  ],
  ["what", /\bwhat\b|\bwhich\b|什么|哪个|怎么|怎样/i],
];

/** What a question asks for. */
export function questionTypeOf(question: string): QuestionType {
  return TYPES.find(([, pattern]) => pattern.test(question))?.[0] ?? "open";
}

const LEAD =
  /^\s*(?:(?:and|so|but|ok|okay|well),?\s+)?(?:what|when|where|who|whom|whose|which|why|how(?:\s+(?:many|much|often|long|old))?)\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|kind of|type of)?\s*/i;

/** The question without its leading question word and auxiliary: what is left lies nearer to an answer. */
export function withoutLead(question: string): string {
  const rest = question.replace(LEAD, "").replace(/[?？\s]+$/u, "");
  return contentStems(rest).length === 0 ? question : rest;
}

const SEVERAL =
  /\b(?:and|both|after|before|since|while|compare|difference|between|because|then)\b|之后|之前|以及|和.*都|区别|比较/i;
const REFERS_BACK = /\b(?:that|this|those|these|it|they|he|she|him|her|them)\b|那个|这个|那件|它|他|她/i;

/** True when the question points at something that only the conversation so far can tell. */
export function refersBack(question: string): boolean {
  return REFERS_BACK.test(question);
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
