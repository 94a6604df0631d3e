import {
  DAYS_PER_WEEK,
  type Day,
  dateOf,
  daySpan,
  mondayOf,
  monthFrom,
  seasonSpan,
  weekdayOf,
  weekendSpan,
} from "./calendar.js";
import { chineseNumber } from "./numbers.js";
import { type Third, thirdOfMonth, thirdOfYear } from "./time-parts.js";
import {
  dateReading,
  dayReading,
  fullDate,
  fullMonth,
  momentReading,
  monthlessDay,
  type Reading,
  type ReadingContext,
  type TimeRule,
  type TimeRuleGroup,
  unresolved,
  yearlessDate,
  yearlessMonth,
  yearReading,
} from "./time-reading.js";
import { monthAway, weekAway, yearAway } from "./time-steps.js";
import { DAY_PARTS } from "./time-written.js";

const DAY_WORDS: Readonly<Record<string, number>> = Object.freeze({
  大前天: -3,
  前天: -2,
  昨天: -1,
  昨日: -1,
  今天: 0,
  今日: 0,
  明天: 1,
  明日: 1,
  后天: 2,
  大后天: 3,
  昨: -1,
  今: 0,
  明: 1,
});
const YEAR_WORDS: Readonly<Record<string, number>> = Object.freeze({ 前年: -2, 去年: -1, 今年: 0, 明年: 1, 后年: 2 });
const STEP_WORDS: Readonly<Record<string, number>> = Object.freeze({ 上上: -2, 上: -1, 这: 0, 本: 0, 下: 1, 下下: 2 });
const WEEKDAYS = "一二三四五六日";
const SEASONS = "春夏秋冬";

const N = "([\\d零一二两三四五六七八九十百]+|几|半)";
const PART = "(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)";
const CLOCK = "(?:([\\d一二两三四五六七八九十]+)[点點:：](半|一刻|三刻|[\\d一二三四五六七八九十]+分?)?)";
const WEEK = "(?:周|星期|礼拜)";

const THIRD = "(初|中旬?(?!国|学|午)|底|末)";

function thirdOf(word = ""): Third {
  if (word === "初") return "early";
  return word.startsWith("中") ? "mid" : "late";
}

function numberOf(text: string): number | null {
  if (text === "几") return 3;
  if (text === "半") return 0.5;
  return chineseNumber(text);
}

function partReading(day: Day, part: string): Reading {
  const name = /上午|早|凌晨/u.test(part)
    ? "morning"
    : /下午|中午/u.test(part)
      ? "afternoon"
      : /夜/u.test(part)
        ? "night"
        : "evening";
  const { start, end } = DAY_PARTS[name];
  return dateReading(daySpan(day), "time", { clock: { start, end } });
}

function minuteOf(text: string | undefined): number | null {
  if (text === undefined) return 0;
  if (text === "半") return 30;
  if (text === "一刻") return 15;
  if (text === "三刻") return 45;
  return chineseNumber(text.replace("分", ""));
}

/** Adds a part of the day and a clock time, if the words have them, to a day. */
function within(reading: Reading | null, part?: string, hourText?: string, minuteText?: string): Reading | null {
  if (reading === null) return null;
  const hour = hourText === undefined ? null : chineseNumber(hourText);
  const minute = minuteOf(minuteText);
  if (hour === null || hour > 24 || minute === null || minute > 59) {
    return part === undefined ? reading : { ...partReading(reading.span.from, part), relative: reading.relative };
  }
  const isLater = part !== undefined && /下午|晚|夜|傍/u.test(part) && hour < 12;
  return { ...reading, granularity: "time", clock: { start: (hour + (isLater ? 12 : 0)) * 60 + minute, end: null } };
}

function weekdayNumber(name: string): number {
  return name === "天" ? 6 : WEEKDAYS.indexOf(name);
}

function bareWeekday(weekday: number, context: ReadingContext): Reading {
  const ahead = (weekday - weekdayOf(context.today) + DAYS_PER_WEEK) % DAYS_PER_WEEK || DAYS_PER_WEEK;
  const isPast = context.tense() === "past";
  return dayReading(
    context.today + (isPast && ahead < DAYS_PER_WEEK ? ahead - DAYS_PER_WEEK : isPast ? -ahead : ahead),
  );
}

function awayByUnit(count: number, unit: string, context: ReadingContext): Reading | null {
  const { today } = context;
  if (unit === "分钟") return momentReading(context, count);
  if (unit.endsWith("小时") || unit.endsWith("钟头")) return momentReading(context, count * 60);
  if (Math.abs(count) === 0.5) {
    return unit === "年"
      ? monthAway(today, Math.sign(count) * 6)
      : unit.endsWith("月")
        ? weekAway(today, Math.sign(count) * 2)
        : null;
  }
  if (unit === "天" || unit === "日") return dayReading(today + count);
  if (/周|星期|礼拜/u.test(unit)) return weekAway(today, count);
  if (unit.endsWith("月")) return monthAway(today, count);
  return yearAway(today, count);
}

function rule(source: string, read: TimeRule["read"]): TimeRule {
  return { pattern: new RegExp(source, "gu"), read };
}

function yearOf(text: string): number | null {
  const value = chineseNumber(text);
  return value !== null && value >= 1000 && value < 3000 ? value : null;
}

const RULES: readonly TimeRule[] = [
  rule(`(大前天|前天|昨天|昨日|今天|今日|明天|明日|大后天|后天)${PART}?${CLOCK}?`, (match, { today }) =>
    within(dayReading(today + (DAY_WORDS[match[1] ?? ""] ?? 0)), match[2], match[3], match[4]),
  ),
  rule(`([昨今明])(晚|早|夜)(?:上)?${CLOCK}?`, (match, { today }) => {
    const part = match[2] === "晚" ? "晚上" : match[2] === "早" ? "早上" : "夜里";
    return within(dayReading(today + (DAY_WORDS[match[1] ?? ""] ?? 0)), part, match[3], match[4]);
  }),
  rule(`(上上|上|这|本|下下|下)(?:一|个)?${WEEK}([一二三四五六日天])(?!个)${PART}?${CLOCK}?`, (match, { today }) => {
    const step = STEP_WORDS[match[1] ?? ""] ?? 0;
    const day = mondayOf(today) + step * DAYS_PER_WEEK + weekdayNumber(match[2] ?? "");
    return within(dayReading(day), match[3], match[4], match[5]);
  }),
  rule(`(上上|上|这|本|下下|下)(?:一|个)?(?:周|星期)末`, (match, { today }) =>
    dateReading(weekendSpan(today + (STEP_WORDS[match[1] ?? ""] ?? 0) * DAYS_PER_WEEK), "weekend"),
  ),
  rule(`(上上|上|这|本|下下|下)(?:一|个)?${WEEK}(?![一二三四五六日天末])`, (match, { today }) =>
    weekAway(today, STEP_WORDS[match[1] ?? ""] ?? 0),
  ),
  rule(
    `(?<![每上下这本个第两一二三四五六七八九十\\d])${WEEK}([一二三四五六日天])(?!个|[年月周])${PART}?${CLOCK}?`,
    (match, context) => within(bareWeekday(weekdayNumber(match[1] ?? ""), context), match[2], match[3], match[4]),
  ),
  rule("(?<![每上下这本个])周末", (_, context) =>
    dateReading(weekendSpan(context.today - (context.tense() === "past" ? DAYS_PER_WEEK : 0)), "weekend"),
  ),
  rule("(上上|上|这|本|下下|下)个?月(?:([\\d一二三四五六七八九十]+)[号日])?", (match, { today }) => {
    const step = STEP_WORDS[match[1] ?? ""] ?? 0;
    const day = match[2] === undefined ? null : chineseNumber(match[2]);
    if (day === null) return monthAway(today, step);
    const { year, month } = dateOf(monthFrom(today, step));
    const reading = fullDate(year, month, day);
    return reading && { ...reading, relative: true };
  }),
  rule(`(?<![\\d年月每这本上下个一二三四五六七八九十])(上上|上|这|本|下下|下)?个?月${THIRD}`, (match, { today }) =>
    thirdOfMonth(monthAway(today, STEP_WORDS[match[1] ?? "本"] ?? 0), thirdOf(match[2]), true),
  ),
  rule(`(?<![年\\d一二三四五六七八九十个])(\\d{1,2}|[一二三四五六七八九十]+)月${THIRD}`, (match, context) => {
    const month = chineseNumber(match[1] ?? "");
    if (month === null || month < 1 || month > 12) return null;
    return thirdOfMonth(yearlessMonth(month, context), thirdOf(match[2]), true);
  }),
  rule(
    `(?<![\\d年每前去今明后多几半一二三四五六七八九十])(?:(前年|去年|今年|明年|后年)年?|年)(初|中(?!国|级|学|午|间)|底|末)`,
    (match, { today }) =>
      thirdOfYear(dateOf(today).year + (YEAR_WORDS[match[1] ?? "今年"] ?? 0), thirdOf(match[2]), true),
  ),
  rule(`((?:19|20)\\d\\d)年(?:(\\d{1,2})月)?${THIRD}`, (match) => {
    const third = thirdOf(match[3]);
    const year = Number(match[1]);
    if (match[2] !== undefined) return thirdOfMonth(fullMonth(year, Number(match[2])), third, true);
    return { ...thirdOfYear(year, third, true), relative: false };
  }),
  rule(
    "(前年|去年|今年|明年|后年)(?:(?:的)?([春夏秋冬])[天季]|([\\d一二三四五六七八九十]+)月(?:份|([\\d一二三四五六七八九十]+)[日号])?)?",
    (match, { today }) => {
      const year = dateOf(today).year + (YEAR_WORDS[match[1] ?? ""] ?? 0);
      return relativeOf(withinYear(year, match[2], match[3], match[4]));
    },
  ),
  rule(
    "((?:1[89]|20)\\d\\d|[一二][零〇一二三四五六七八九]{3})年(?:(?:的)?([春夏秋冬])[天季]|(\\d{1,2}|[一二三四五六七八九十]+)月(?:份|(\\d{1,2}|[一二三四五六七八九十]+)[日号])?)?",
    (match) => {
      const year = yearOf(match[1] ?? "");
      return year === null ? null : withinYear(year, match[2], match[3], match[4]);
    },
  ),
  rule(
    `(?<![年\\d])(\\d{1,2}|[一二三四五六七八九十]+)月(\\d{1,2}|[一二三四五六七八九十]+)[日号]?${PART}?${CLOCK}?`,
    (match, context) => {
      const month = chineseNumber(match[1] ?? "");
      const day = chineseNumber(match[2] ?? "");
      return month === null || day === null
        ? null
        : within(yearlessDate(month, day, context), match[3], match[4], match[5]);
    },
  ),
  rule(
    "(?<![年\\d上下这本一二三四五六七八九十个])(\\d{1,2}|[一二三四五六七八九十]+)月(?:份)?(?![\\d一二三四五六七八九十])",
    (match, context) => {
      const month = chineseNumber(match[1] ?? "");
      return month === null || month < 1 || month > 12 ? null : yearlessMonth(month, context);
    },
  ),
  rule(
    "(?<![月\\d一二三四五六七八九十第])(\\d{1,2}|[一二三四五六七八九十]{1,3})号(?!楼|线|门|店|机|房|桌|院)",
    (match, context) => {
      const day = chineseNumber(match[1] ?? "");
      return day === null ? null : monthlessDay(day, context);
    },
  ),
  rule(`${N}(分钟|个?小时|个?钟头|天|日|周|个?星期|个?礼拜|个月|年)(?:之|以)?(前|后)`, (match, context) => {
    const count = numberOf(match[1] ?? "");
    if (count === null) return null;
    return awayByUnit(match[3] === "前" ? -count : count, match[2] ?? "", context);
  }),
  rule(
    `每(?:隔)?(?:一|两|几)?个?(?:${WEEK}[一二三四五六日天]|周末|天|日|周|星期|礼拜|月|年|晚|早上|晚上)(?:早上|上午|下午|晚上)?|天天`,
    (_, context) => unresolved("recurrence", context),
  ),
  rule(
    `(?<!第)${N}(?:多)?(?:分钟|个?小时|个?钟头|天|周|个?星期|个?礼拜|个月|年)(?!(?:之|以)?[前后]|级|代|[\\d一二三四五六七八九十])`,
    (_, context) => unresolved("duration", context),
  ),
];

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

/** A cheap sign that one of the rules may match. */
export const CHINESE_TIME_HINT = /[天日周月年晚早夜号前后]|星期|礼拜|小时|分钟|钟头/u;

/** What Chinese says about time. Where two rules meet, the longer match wins. */
export const CHINESE_TIME_RULES: readonly TimeRuleGroup[] = [{ hint: CHINESE_TIME_HINT, rules: RULES }];
