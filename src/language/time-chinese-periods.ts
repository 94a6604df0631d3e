import { DAYS_PER_WEEK, dateOf, dayOf, monthFrom, weekendSpan } from "./calendar.js";
import { chineseNumber } from "./numbers.js";
import {
  CARDINAL,
  chineseRule,
  NUMBER,
  STEP,
  STEP_WORDS,
  THIRD,
  thirdOf,
  WEEK,
  YEAR_WORD,
  YEAR_WORDS,
} from "./time-chinese-words.js";
import { thirdOfMonth, thirdOfYear } from "./time-parts.js";
import { dateReading, fullDate, fullMonth, type TimeRule, yearlessMonth } from "./time-reading.js";
import { monthAway, weekAway } from "./time-steps.js";

/** Weeks, weekends, months and years that are named from now, and their parts: "上周末", "下个月初". */
export const PERIODS_ZH: readonly TimeRule[] = [
  chineseRule(`${STEP}(?:一|个)?(?:周|星期)末`, (match, { today }) =>
    dateReading(weekendSpan(today + (STEP_WORDS[match[1] ?? ""] ?? 0) * DAYS_PER_WEEK), "weekend"),
  ),
  chineseRule(`${STEP}(?:一|个)?${WEEK}(?![一二三四五六日天末])`, (match, { today }) =>
    weekAway(today, STEP_WORDS[match[1] ?? ""] ?? 0),
  ),
  chineseRule("(?<![每隔上下这本个])周末", (_, context) =>
    dateReading(weekendSpan(context.today - (context.tense() === "past" ? DAYS_PER_WEEK : 0)), "weekend"),
  ),
  chineseRule(`${STEP}个?月(?:([${CARDINAL}]+)[号日])?`, (match, { today }) => {
    const step = STEP_WORDS[match[1] ?? ""] ?? 0;
    const day = match[2] === undefined ? null : chineseNumber(match[2]);
    if (day === null) return monthAway(today, step);
    const { year, month } = dateOf(monthFrom(today, step));
    const reading = fullDate(year, month, day);
    return reading && { ...reading, relative: true };
  }),
  chineseRule(`(?<![\\d年月每这本上下个一二三四五六七八九十])${STEP}?个?月${THIRD}`, (match, { today }) =>
    thirdOfMonth(monthAway(today, STEP_WORDS[match[1] ?? "本"] ?? 0), thirdOf(match[2]), true),
  ),
  chineseRule(`(?<![年${CARDINAL}个])${NUMBER}月${THIRD}`, (match, context) => {
    const month = chineseNumber(match[1] ?? "");
    if (month === null || month < 1 || month > 12) return null;
    return thirdOfMonth(yearlessMonth(month, context), thirdOf(match[2]), true);
  }),
  chineseRule(
    `(?<![\\d年每前去今明后多几半一二三四五六七八九十])(?:${YEAR_WORD}年?|(?<!大)年)(初|中(?!国|级|学|午|间)|底|末)`,
    (match, { today }) =>
      thirdOfYear(dateOf(today).year + (YEAR_WORDS[match[1] ?? "今年"] ?? 0), thirdOf(match[2]), true),
  ),
  chineseRule(`(去年|明年|前年|后年)的?(?:这个?时候|此时|同期)`, (match, { today }) =>
    monthAway(today, (YEAR_WORDS[match[1] ?? ""] ?? 0) * 12),
  ),
  chineseRule(`(?:${YEAR_WORD}|((?:19|20)\\d\\d)年)?的?(?<![一半大几两多])(上|下)半年`, (match, { today }) => {
    const year = match[2] === undefined ? dateOf(today).year + (YEAR_WORDS[match[1] ?? "今年"] ?? 0) : Number(match[2]);
    const first = match[3] === "上" ? 1 : 7;
    return dateReading({ from: dayOf(year, first, 1), to: dayOf(year, first + 6, 1) }, "month", {
      relative: match[2] === undefined,
      written: `${year}年${match[3]}半年`,
    });
  }),
  chineseRule(`((?:19|20)\\d\\d)年(?:(\\d{1,2})月)?${THIRD}`, (match) => {
    const third = thirdOf(match[3]);
    const year = Number(match[1]);
    if (match[2] !== undefined) return thirdOfMonth(fullMonth(year, Number(match[2])), third, true);
    return { ...thirdOfYear(year, third, true), relative: false };
  }),
];
