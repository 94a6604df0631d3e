import { hasCjk, splitSentences } from "../../language/index.js";
import { isSmallTalk } from "./density.js";
import { isQuestion } from "./statements.js";

const BARE_ANSWER =
  /^(?:yes|yeah|yep|yup|no|nope|nah|sure|never|not (?:yet|really|at all)|of course|maybe|both|neither|none)\b|^(?:是的?|不是|没有|有|对|不|会|不会|好的?|可以)(?:[，。！]|$)/iu;
/** A sentence with a subject and a verb of its own; "Two boys" and "Sixty tiles" have none. */
const OWN_SUBJECT =
  /^(?:(?:well|yes|yeah|no|so|oh|actually)[,，]? )*(?:(?:I|you|we|it|he|she|they)(?:['’]\w+)? \w|(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundreds?|about|around|nearly|almost|only|some|many|most|all|at|in|on|to|from|with|by|for|under|near)\b)(?:that|this|there|my|our|the|[A-Z]\w+)(?:['’]\w+)? (?:\w+ ){0,2}(?:is|are|was|were|am|should|must|may|might|need|have|has|had|do|did|does|will|would|can|could|\w+ed|went|got|\w+s)\b)|^I\b|^I['’]/iu;
/** The answer to a "why". */
const REASON = /^(?:because|since|so that|in order to)\b|^因为/iu;
const SHORT_ANSWER_WORDS = 8;
const SHORT_ANSWER_HAN = 12;

/** The question that a turn ends with, or null. */
export function closingQuestion(content: string): string | null {
  const last = splitSentences(content).at(-1);
  return last !== undefined && isQuestion(last) ? last : null;
}

/**
 * The part of a reply that says nothing without the question: "Under the mat.", "No.". Null when the reply's first
 * sentence stands alone.
 */
export function bareAnswer(content: string): { answer: string; rest: string } | null {
  const all = splitSentences(content);
  const sentences = all.slice(all.findIndex((sentence) => BARE_ANSWER.test(sentence) || !isSmallTalk(sentence)));
  const first = sentences[0];
  if (first !== undefined && isSmallTalk(first) && !BARE_ANSWER.test(first)) return null;
  if (first === undefined || isQuestion(first) || !isElliptic(first)) return null;
  return { answer: first, rest: sentences.slice(1).join(" ") };
}

function isElliptic(sentence: string): boolean {
  const isShort = hasCjk(sentence)
    ? [...sentence].length <= SHORT_ANSWER_HAN && !/^[我他她它]/u.test(sentence)
    : sentence.split(/\s+/u).length <= SHORT_ANSWER_WORDS;
  return REASON.test(sentence) || (isShort && (BARE_ANSWER.test(sentence) || !OWN_SUBJECT.test(sentence)));
}
