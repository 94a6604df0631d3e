import { DAYS_PER_WEEK, dateOf, seasonSpan, weekendSpan, weekSpan } from "./calendar.js";
import { chineseNumber } from "./numbers.js";
import { within } from "./time-chinese-clock.js";
import { awayByUnit } from "./time-chinese-counted.js";
import {
  A_FEW,
  CARDINAL,
  CLOCK,
  chineseRule,
  NUMBER,
  PART,
  SEASONS,
  YEAR_WORD,
  YEAR_WORDS,
} from "./time-chinese-words.js";
import {
  dateBeside,
  dateReading,
  fullDate,
  fullMonth,
  monthlessDay,
  type Reading,
  type ReadingContext,
  type TimeRule,
  yearlessDate,
  yearlessMonth,
  yearReading,
} from "./time-reading.js";

/** Dates of the calendar: "2023年5月7日", "去年夏天", "5月", "15号". */
export const DATES_ZH: readonly TimeRule[] = [
  // As relative times are written out.
  chineseRule(
    "(\\d{4})年(\\d{1,2})月(\\d{1,2})日(那一周|那个周末|[前后]几天|的几(?:天|周|个?星期|个月|年)[前后])",
    ([written, year, month, day, words], context) => {
      const reading = fullDate(Number(year), Number(month), Number(day));
      return reading && besideDay(reading, words ?? "", written, context);
    },
  ),
  chineseRule(
    `(?:((?:19|20)\\d\\d)年|(?<![年${CARDINAL}]))${NUMBER}月${NUMBER}[日号]?\\s?(?:到|至|[-—~～])\\s?(?:(\\d{4})年)?(?:${NUMBER}月)?${NUMBER}[日号]`,
    ([, year, month, day, lastYear, lastMonth, lastDay], context) =>
      rangeOf([year, month, day], [lastYear, lastMonth ?? month, lastDay], context),
  ),
  chineseRule(
    `${YEAR_WORD}(?:(?:的)?([春夏秋冬])[天季]|([${CARDINAL}]+)月(?:份|([${CARDINAL}]+)[日号]${PART}?${CLOCK}?)?)?`,
    (match, { today }) => {
      const year = dateOf(today).year + (YEAR_WORDS[match[1] ?? ""] ?? 0);
      return relativeOf(within(withinYear(year, match[2], match[3], match[4]), match[5], match[6], match[7]));
    },
  ),
  chineseRule(
    `((?:1[89]|20)\\d\\d|[一二][零〇一二三四五六七八九]{3})年(?:(?:的)?([春夏秋冬])[天季]|${NUMBER}月(?:份|${NUMBER}[日号]${PART}?${CLOCK}?)?)?`,
    (match) => {
      const year = yearOf(match[1] ?? "");
      return year === null
        ? null
        : within(withinYear(year, match[2], match[3], match[4]), match[5], match[6], match[7]);
    },
  ),
  chineseRule(`(?<![年\\d])${NUMBER}月${NUMBER}[日号]?${PART}?${CLOCK}?`, (match, context) => {
    const month = chineseNumber(match[1] ?? "");
    const day = chineseNumber(match[2] ?? "");
    return month === null || day === null
      ? null
      : within(yearlessDate(month, day, context), match[3], match[4], match[5]);
  }),
  chineseRule(`(?<![年\\d上下这本一二三四五六七八九十个])${NUMBER}月(?:份)?(?![${CARDINAL}])`, (match, context) => {
    const month = chineseNumber(match[1] ?? "");
    return month === null || month < 1 || month > 12 ? null : yearlessMonth(month, context);
  }),
  chineseRule(
    `(?<![月${CARDINAL}第])(\\d{1,2}|[一二三四五六七八九十]{1,3})号(?!楼|线|门|店|机|房|桌|院)`,
    (match, context) => {
      const day = chineseNumber(match[1] ?? "");
      return day === null ? null : monthlessDay(day, context);
    },
  ),
];

function yearOf(text: string): number | null {
  const value = chineseNumber(text);
  return value !== null && value >= 1000 && value < 3000 ? value : null;
}

function relativeOf(reading: Reading | null): Reading | null {
  return reading && { ...reading, relative: true };
}

function withinYear(year: number, season?: string, monthText?: string, dayText?: string): Reading | null {
  if (season !== undefined)
    return dateReading(seasonSpan(year, SEASONS.indexOf(season)), "season", { relative: false });
  const month = monthText === undefined ? null : chineseNumber(monthText);
  const day = dayText === undefined ? null : chineseNumber(dayText);
  if (month === null) return yearReading(year, false);
  return day === null ? fullMonth(year, month) : fullDate(year, month, day);
}

function besideDay(day: Reading, words: string, written: string, context: ReadingContext): Reading | null {
  const { from } = day.span;
  if (words === "那一周") return { ...day, span: weekSpan(from), granularity: "week" };
  if (words === "那个周末") return { ...day, span: weekendSpan(from), granularity: "weekend" };
  if (words === "前几天") return { ...day, span: { from: from - DAYS_PER_WEEK, to: from }, written };
  if (words === "后几天") return { ...day, span: { from: from + 1, to: from + 1 + DAYS_PER_WEEK }, written };
  const count = words.endsWith("前") ? -A_FEW : A_FEW;
  const away = awayByUnit(count, words.slice("的几".length, -1), { ...context, today: from });
  return away && { ...away, relative: false, written };
}

type Named = readonly [year: string | undefined, month: string | undefined, day: string | undefined];

/** The days from the first to the last, which lies within a year unless its own is named; null when they are none. */
function rangeOf([year, ...first]: Named, [lastYear, ...last]: Named, context: ReadingContext): Reading | null {
  const [month, day] = numbersOf(first);
  const [lastMonth, lastDay] = numbersOf(last);
  if (lastYear === undefined && lastMonth === month && lastDay < day) return null;
  const start = year === undefined ? yearlessDate(month, day, context) : fullDate(Number(year), month, day);
  if (start === null) return null;
  const { from } = start.span;
  const end =
    lastYear === undefined ? dateBeside(from, lastMonth, lastDay) : fullDate(Number(lastYear), lastMonth, lastDay);
  return end === null || end.span.from < from ? null : { ...start, span: { from, to: end.span.to } };
}

function numbersOf(words: readonly (string | undefined)[]): readonly [month: number, day: number] {
  const [month = 0, day = 0] = words.map((word) => chineseNumber(word ?? "") ?? 0);
  return [month, day];
}
