import {
  detectLanguage,
  findNames,
  findNumbers,
  findTimes,
  hasNegation,
  splitSentences,
} from "../../language/index.js";
import type { Hit, Plan } from "../../records/index.js";

const PLACE = /\b(?:in|at|to|from|near)\s+((?:the\s+)?\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*)/u;
const PLACE_CHINESE = /(?:在|到|去|搬到|住在)([\p{Script=Han}]{2,6}?)(?:工作|住|玩|了|的|，|。|$)/u;

function mentionsIn(hit: Hit, timeZone: string) {
  const instant = hit.entry?.mentionedAt ?? hit.timestamp ?? "1970-01-01T00:00:00.000Z";
  return findTimes(hit.text, { instant, offsetMinutes: 0, timeZone }).filter((mention) => mention.kind === "date");
}

function writtenDay(instant: string, language: string, timeZone: string): string {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }).format(new Date(instant));
}

/** When: the time that the text holds, else the time of the event, else the day it was said. */
export function whenOf(hit: Hit, plan: Plan, timeZone: string): string | null {
  const [mention] = mentionsIn(hit, timeZone);
  if (mention !== undefined) return mention.written;
  const instant = hit.entry?.timestamp ?? hit.timestamp;
  return instant === null ? null : writtenDay(instant, detectLanguage(plan.question), timeZone);
}

export function whereOf(hit: Hit): string | null {
  return hit.entry?.location ?? PLACE.exec(hit.text)?.[1] ?? PLACE_CHINESE.exec(hit.text)?.[1] ?? null;
}

/** Who: a person of the text that the question does not name. */
export function whoOf(hit: Hit, plan: Plan): string | null {
  const asked = new Set(plan.persons.map((name) => name.toLowerCase()));
  const persons = [...findNames(hit.text, hit.persons).persons, ...hit.persons];
  return persons.find((name) => !asked.has(name.toLowerCase()) && hit.text.includes(name)) ?? null;
}

/** How many: a number of the text that is no part of a date. */
export function countOf(hit: Hit, timeZone: string): string | null {
  let text = hit.text;
  for (const mention of mentionsIn(hit, timeZone)) text = text.replace(mention.text, " ");
  return (
    findNumbers(text)[0] ??
    /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once)\b/i.exec(text)?.[0] ??
    null
  );
}

export function yesOrNo(hit: Hit, plan: Plan): string {
  const isNo = hasNegation(hit.text) !== hasNegation(plan.question);
  if (detectLanguage(plan.question) === "zh") return isNo ? `不是。${hit.text}` : `是的。${hit.text}`;
  return isNo ? `No. ${hit.text}` : `Yes. ${hit.text}`;
}

/** The sentence of a hit that shares most with the question. */
export function bestSentence(hit: Hit, share: (text: string) => number): string {
  const sentences = splitSentences(hit.text);
  return sentences.reduce((best, next) => (share(next) > share(best) ? next : best), sentences[0] ?? hit.text).trim();
}
