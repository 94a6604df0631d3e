import { findTimes, type TimeMention } from "../../language/index.js";
import type { Hit } from "../../records/index.js";
import type { Asked } from "./asked.js";
import type { Evidence } from "./evidence.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** A date and the preposition that ties it to the sentence. */
const TIED = "(?:\\b(?:on|in|at|since|during|by|from|until|of|the)\\s+)*";
const ASKS_YEAR = /\b(?:what|which) year\b|哪一?年/iu;
const ASKS_MONTH = /\b(?:what|which) month\b|哪个月|几月(?!几)/iu;
const ASKS_AGO = /\bhow long ago\b|多久以前|多久之前/iu;
const YEAR = /\b\d{4}\b|\d{4}年/u;
const MONTH =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?: \d{4})?|\d{1,2}月/u;
const MS_PER_DAY = 86_400_000;

function mentionsIn(text: string, hit: Hit, timeZone: string): TimeMention[] {
  const instant = hit.entry?.mentionedAt ?? hit.timestamp ?? EPOCH;
  return findTimes(text, { instant, offsetMinutes: 0, timeZone });
}

function datesIn(text: string, hit: Hit, timeZone: string): TimeMention[] {
  return mentionsIn(text, hit, timeZone).filter(({ kind }) => kind === "date");
}

/** The text without its dates, which are adjuncts of what is asked for. */
export function withoutDates(text: string, hit: Hit, timeZone: string): string {
  return datesIn(text, hit, timeZone).reduce((rest, mention) => {
    const spoken = mention.text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
    return rest.replace(new RegExp(`${TIED}${spoken}`, "iu"), " ");
  }, text);
}

function writtenDay(instant: string, { language, timeZone }: Asked): string {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }).format(new Date(instant));
}

/** Elapsed time between an event and the telling of it, in the largest unit that is full. */
function agoOf(from: string, until: string, language: Asked["language"]): string {
  const days = Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / MS_PER_DAY));
  const units: readonly (readonly [number, string, string])[] = [
    [365, "year", "年"],
    [30, "month", "个月"],
    [7, "week", "周"],
    [1, "day", "天"],
  ];
  const [size, english, chinese] = units.find(([length]) => days >= length) ?? [1, "day", "天"];
  const count = Math.round(days / size);
  if (language === "zh") return `${count}${chinese}前`;
  return `${count} ${english}${count === 1 ? "" : "s"} ago`;
}

/** The date that a sentence gives for what is asked; what something is "instead of" is not it. */
function tellingDate(text: string, { hit }: Evidence, { timeZone }: Asked): TimeMention | undefined {
  const dates = datesIn(text, hit, timeZone);
  const replaced = /\b(?:instead of|rather than|not)\s*(?:in|on|at)?\s*$|而不是\s*$|\bfrom\s*$/iu;
  return dates.find(({ start }) => !replaced.test(text.slice(0, start))) ?? dates[0];
}

/** True when the sentence itself holds a date. */
export function holdsDate(evidence: Evidence, asked: Asked): boolean {
  return datesIn(evidence.text, evidence.hit, asked.timeZone).length > 0;
}

/** When: the time that the telling sentence holds, else the event's, else its text's, else the day it was said. */
export function whenOf(evidence: Evidence, asked: Asked): string | null {
  const { hit, text } = evidence;
  const mention = tellingDate(text, evidence, asked) ?? tellingDate(hit.text, evidence, asked);
  const instant = mention?.from ?? hit.entry?.timestamp ?? hit.entry?.mentionedAt ?? hit.timestamp;
  if (instant === null || instant === undefined) return null;
  if (ASKS_AGO.test(asked.question))
    return agoOf(instant, hit.entry?.mentionedAt ?? hit.timestamp ?? instant, asked.language);
  const written = mention?.written ?? writtenDay(instant, asked);
  if (ASKS_YEAR.test(asked.question)) return YEAR.exec(written)?.[0] ?? written;
  if (ASKS_MONTH.test(asked.question)) return MONTH.exec(written)?.[0] ?? written;
  return written;
}

/** How long: the duration of the sentence. */
export function durationOf(evidence: Evidence, asked: Asked): string | null {
  const found = mentionsIn(evidence.text, evidence.hit, asked.timeZone).find(({ kind }) => kind === "duration");
  return found?.text.replace(/^(?:for|about|around|almost|over|nearly)\s+/iu, "") ?? null;
}
