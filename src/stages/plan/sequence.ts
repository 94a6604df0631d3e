import type { Plan } from "../../records/index.js";

/** "By Friday at the latest" asks for no news. */
const LATEST =
  /(?<!\bat the )\blatest\b|\bnewest\b|\bmost recent(?:ly)?\b|\bthe last time\b|\b(?:currently|nowadays)\b|\b(?:right now|at the moment|these days)\b|最新|最近(?:一次|一回|的|在|有)|目前|眼下|现在/iu;
const AFTERWARDS =
  /\bafterwards?\b|\b(?:since|from) then\b|\bafter that\b|\b(?:thereafter|subsequently)\b|\bwhat (?:happened|happens|came|comes|went on|did .+ do) (?:.* )?(?:next|later)(?: on)?\b(?! (?:on|the|that|this|in|to|at|year|week|month|day|time)\b)|\bhow (?:did|does|has) (?:it|that|this|things) (?:go|gone) on\b|^\s*(?:and |so )*(?:what )?then\s*\??\s*$|后来|然后呢|(?:那|这|在那|在这)?之后(?:呢|怎么|又|还|发生)|接下来|随后|[从自]那(?:以后|之后|时起)/iu;
const OUTCOME =
  /\bhow (?:did|does|will|has) (?:(?:it|that|this|things|everything)|(?:the|that|this) [^?,]{1,40}?) (?:all )?(?:end(?:ed)?(?! up\b)|turn(?:ed)? out|work(?:ed)? out|finish(?:ed)?)\b|\bwhat (?:(?:has )?become|became) of\b|结果(?:呢|怎么样|怎样|如何)|最后(?:呢|怎么|如何)|最终|结局|收场/iu;

const IN_THE_END = /\bin the end\b/iu;
/** Who asks for a date, a place or a number of something asks for the one that held last, and not for a story. */
const ASKS_WHICH =
  /\b(?:when|where|who(?:m|se)?|which|how (?:many|much|long|old|often)|(?:on|at|in|to|from|for|by|with) what|what (?:time|date|day|week|month|year|price|name|number|place|city))\b/iu;

/** Where in the order of events a question looks; undefined when it does not say. A time that it names says more than "latest". */
export function sequenceOf(question: string, timeRange: Plan["timeRange"]): Plan["sequence"] {
  if (OUTCOME.test(question)) return "outcome";
  if (IN_THE_END.test(question) && !ASKS_WHICH.test(question)) return "outcome";
  if (AFTERWARDS.test(question)) return "afterwards";
  return timeRange === null && (LATEST.test(question) || IN_THE_END.test(question)) ? "latest" : undefined;
}

/** The question without the words that say so: an answer need not hold them. */
export function withoutSequence(question: string): string {
  return [OUTCOME, IN_THE_END, AFTERWARDS, LATEST].reduce(
    (text, words) => text.replace(new RegExp(words, "giu"), " "),
    question,
  );
}

/** True when the question asks what came after something. */
export function asksWhatFollowed({ sequence }: Pick<Plan, "sequence">): boolean {
  return sequence === "afterwards" || sequence === "outcome";
}
