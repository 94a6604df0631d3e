import {
  contentStems,
  detectLanguage,
  findNames,
  findNumbers,
  findTimes,
  hasNegation,
  splitSentences,
} from "../../language/index.js";
import type { Hit, Plan } from "../../records/index.js";

const PLACE = /\b(?:in|at|to|from|near)\s+((?:the\s+)?\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*)/gu;
/** A place without a name: "behind the old mill". */
const SPOT =
  /\b(?:in|at|on|near|behind|under|inside|beside|above)\s+(?:the|an?|his|her|their|my|our)\s+[\p{L}'-]+(?:\s+(?:of\s+the\s+)?[\p{L}'-]+(?=[.,!]|$))?/u;
const PLACE_CHINESE =
  /(?:住在|搬到|搬去|来到|去了|去过|在|到|去)([\p{Script=Han}]{2,6}?)(?:工作|上班|上学|读书|旅行|旅游|开会|住|玩|见|了|的|，|。|$)/gu;
const FIRST_PERSON = /\b(?:I|my|we|our)\b|[我咱]/u;
const ENGLISH_NUMBER =
  /[$€£¥]?\d[\d,]*(?:\.\d+)?%?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)(?:[\s-]+(?:and\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million))*\b|\b(?:once|twice)\b/giu;
const CHINESE_COUNT =
  /[\d零〇一二两三四五六七八九十百千万亿]+(?:多)?(?:[个只本条位年天岁块元次点辆张间套杯]|公里|公斤)/gu;
const UNIT_AFTER =
  /^\s+(?:years?|months?|weeks?|days?|hours?|minutes?|times|percent|dollars?|euros?|pounds?|miles?|km|kilometres?|kilometers?|kg|metres?|meters?)\b(?:\s+(?:a|per)\s+(?:day|week|month|year)\b)?/iu;
const SPELLED = /^[a-z]/i;
/** Words after a number within which the counted thing is named. */
const COUNTED_WITHIN = 4;

function datesIn(text: string, hit: Hit, timeZone: string) {
  const instant = hit.entry?.mentionedAt ?? hit.timestamp ?? "1970-01-01T00:00:00.000Z";
  return findTimes(text, { instant, offsetMinutes: 0, timeZone }).filter((mention) => mention.kind === "date");
}

function withoutDates(text: string, hit: Hit, timeZone: string): string {
  return datesIn(text, hit, timeZone).reduce((rest, mention) => rest.replace(mention.text, " "), text);
}

function writtenDay(instant: string, language: string, timeZone: string): string {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }).format(new Date(instant));
}

function isNamedIn(name: string, question: string): boolean {
  const asked = new Set(contentStems(question));
  return contentStems(name).some((stem) => asked.has(stem));
}

/** When: the time that the telling sentence holds, else the text, else the time of the event, else the day it was said. */
export function whenOf(hit: Hit, sentence: string, plan: Plan, timeZone: string): string | null {
  const mention = datesIn(sentence, hit, timeZone)[0] ?? datesIn(hit.text, hit, timeZone)[0];
  if (mention !== undefined) return mention.written;
  const instant = hit.entry?.timestamp ?? hit.timestamp;
  return instant === null ? null : writtenDay(instant, detectLanguage(plan.question), timeZone);
}

/** Where: a place of the telling sentence that the question does not name; a person or a month is none. */
export function whereOf(hit: Hit, sentence: string, plan: Plan, timeZone: string): string | null {
  const text = withoutDates(sentence, hit, timeZone);
  const persons = new Set(hit.persons.flatMap((name) => [name, name.split(/\s+/)[0] ?? name]));
  const named = [...text.matchAll(PLACE), ...text.matchAll(PLACE_CHINESE)].flatMap((match) => match[1] ?? []);
  const places = [...named, ...(hit.entry?.location === null || hit.entry === undefined ? [] : [hit.entry.location])];
  const place = places.find((one) => !persons.has(one) && !isNamedIn(one, plan.question));
  return place ?? SPOT.exec(text)?.[0] ?? null;
}

/** Who: a person of the text that the question does not name, or who says of themselves what was asked. */
export function whoOf(hit: Hit, sentence: string, plan: Plan): string | null {
  const isNews = (name: string): boolean => !isNamedIn(name, plan.question);
  const said = hit.kind === "turn" && FIRST_PERSON.test(sentence) ? hit.speaker : null;
  if (said !== null && isNews(said)) return said;
  const persons = [...findNames(sentence, hit.persons).persons, ...hit.persons];
  const places = new Set([...sentence.matchAll(PLACE)].flatMap((match) => match[1] ?? []));
  const isIn = (name: string): boolean => name.split(/\s+/).some((part) => sentence.includes(part));
  return persons.find((name) => isNews(name) && isIn(name) && !places.has(name)) ?? null;
}

interface Counted {
  readonly number: string;
  readonly after: string;
}

function numbersOf(text: string): Counted[] {
  const isChinese = detectLanguage(text) === "zh";
  return [...text.matchAll(isChinese ? CHINESE_COUNT : ENGLISH_NUMBER)].map((match) => {
    const after = text.slice(match.index + match[0].length);
    return { number: match[0], after };
  });
}

function writtenNumber({ number, after }: Counted): string {
  const value = SPELLED.test(number) ? (findNumbers(number)[0] ?? number) : number;
  return `${value}${UNIT_AFTER.exec(after)?.[0] ?? ""}`;
}

/** How many: the number before the thing that is counted, else the only number that is no part of a date. */
export function countOf(hit: Hit, sentence: string, stems: readonly string[], timeZone: string): string | null {
  const counted = numbersOf(withoutDates(sentence, hit, timeZone));
  const asked = new Set(stems);
  const isBefore = ({ number, after }: Counted): boolean => {
    const next = `${number} ${after}`.split(/[,.;，。；]|\band\b/u)[0] ?? "";
    const words = contentStems(next);
    return words.slice(0, COUNTED_WITHIN).some((stem) => asked.has(stem));
  };
  const found = counted.find(isBefore) ?? counted.find(({ number }) => number.toLowerCase() !== "one");
  return found === undefined ? null : writtenNumber(found);
}

/** Yes or no, with the sentence that says so. */
export function yesOrNo(sentence: string, plan: Plan): string {
  const isNo = hasNegation(sentence) !== hasNegation(plan.question);
  if (detectLanguage(plan.question) === "zh") return isNo ? `不是。${sentence}` : `是的。${sentence}`;
  return isNo ? `No. ${sentence}` : `Yes. ${sentence}`;
}

/** The sentence of a hit that shares most with the question. */
export function bestSentence(hit: Hit, share: (text: string) => number): string {
  const sentences = splitSentences(hit.text);
  return sentences.reduce((best, next) => (share(next) > share(best) ? next : best), sentences[0] ?? hit.text).trim();
}
