import { type Day, type DaySpan, dateOf, MINUTES_PER_DAY } from "./calendar.js";
import type { Reading } from "./time-reading.js";

export const MONTH_NAMES = Object.freeze([
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]);
export const SEASON_NAMES = Object.freeze(["spring", "summer", "autumn", "winter"]);
const SEASON_NAMES_ZH = Object.freeze(["春天", "夏天", "秋天", "冬天"]);

/** Parts of a day in minutes after its midnight; the night runs on into the next morning. */
export const DAY_PARTS = Object.freeze({
  morning: { start: 360, end: 720, zh: "上午" },
  afternoon: { start: 720, end: 1080, zh: "下午" },
  evening: { start: 1080, end: 1440, zh: "晚上" },
  night: { start: 1200, end: 1800, zh: "夜里" },
});

function clockText(minute: number): string {
  const inDay = minute % MINUTES_PER_DAY;
  return `${Math.floor(inDay / 60)}:${String(inDay % 60).padStart(2, "0")}`;
}

function dayPartOf(clock: { start: number; end: number | null }): { en: string; zh: string } | null {
  for (const [en, part] of Object.entries(DAY_PARTS)) {
    if (part.start === clock.start && part.end === clock.end) return { en, zh: part.zh };
  }
  return null;
}

export function englishDay(day: Day): string {
  const date = dateOf(day);
  return `${date.day} ${MONTH_NAMES[date.month - 1]} ${date.year}`;
}

export function chineseDay(day: Day): string {
  const date = dateOf(day);
  return `${date.year}年${date.month}月${date.day}日`;
}

/** Days from the first to the last: "3–5 May 2023", "30 April – 2 May 2023". */
export function englishSpan({ from, to }: DaySpan): string {
  const first = dateOf(from);
  const last = dateOf(to - 1);
  if (to - from === 1) return englishDay(from);
  const end = englishDay(to - 1);
  if (first.year !== last.year) return `${englishDay(from)} – ${end}`;
  if (first.month !== last.month) return `${first.day} ${MONTH_NAMES[first.month - 1]} – ${end}`;
  return `${first.day}–${end}`;
}

function seasonOf(month: number): number {
  return Math.floor((month - 3) / 3);
}

export function writeEnglish({ span, clock, granularity }: Reading): string {
  const { year, month } = dateOf(span.from);
  switch (granularity) {
    case "time": {
      const part = clock && dayPartOf(clock);
      if (part) return `the ${part.en} of ${englishDay(span.from)}`;
      return `${clockText(clock?.start ?? 0)} on ${englishDay(span.from)}`;
    }
    case "day":
      return englishSpan(span);
    case "week":
      return `the week of ${englishDay(span.from)}`;
    case "weekend":
      return `the weekend of ${englishDay(span.from)}`;
    case "month":
      return `${MONTH_NAMES[month - 1]} ${year}`;
    case "season":
      return `the ${SEASON_NAMES[seasonOf(month)]} of ${year}`;
    case "year":
      return String(year);
  }
}

export function writeChinese({ span, clock, granularity }: Reading): string {
  const { year, month } = dateOf(span.from);
  switch (granularity) {
    case "time": {
      const part = clock && dayPartOf(clock);
      return `${chineseDay(span.from)}${part?.zh ?? clockText(clock?.start ?? 0)}`;
    }
    case "day":
      return span.to - span.from === 1 ? chineseDay(span.from) : `${chineseDay(span.from)}至${chineseDay(span.to - 1)}`;
    case "week":
      return `${chineseDay(span.from)}那一周`;
    case "weekend":
      return `${chineseDay(span.from)}那个周末`;
    case "month":
      return `${year}年${month}月`;
    case "season":
      return `${year}年${SEASON_NAMES_ZH[seasonOf(month)]}`;
    case "year":
      return `${year}年`;
  }
}
