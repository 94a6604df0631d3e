import { DAYS_PER_WEEK, mondayOf, weekdayOf } from "./calendar.js";
import { within } from "./time-chinese-clock.js";
import { CLOCK, chineseRule, DAY_WORDS, PART, STEP, STEP_WORDS, WEEK, weekdayNumber } from "./time-chinese-words.js";
import { dateReading, dayReading, type Reading, type ReadingContext, type TimeRule } from "./time-reading.js";
import { chineseDay } from "./time-written.js";

/** Days that are named from today, and weekdays: "大前天", "上周五晚上八点". */
export const DAYS_ZH: readonly TimeRule[] = [
  chineseRule("前(?:几|些)天", (_, { today }) =>
    dateReading({ from: today - 7, to: today }, "day", { written: `${chineseDay(today)}前几天` }),
  ),
  chineseRule("过(?:几|些)天", (_, { today }) =>
    dateReading({ from: today + 1, to: today + 8 }, "day", { written: `${chineseDay(today)}后几天` }),
  ),
  chineseRule(`(昨天|明天|上周|下周)的?(?:这个?时候|此时)`, (match, { today }) => {
    const steps = /周/u.test(match[1] ?? "") ? DAYS_PER_WEEK : 1;
    return dayReading(today + (/昨|上/u.test(match[1] ?? "") ? -steps : steps));
  }),
  chineseRule(`(大前天|前天|昨天|昨日|今天|今日|明天|明日|大后天|后天)${PART}?${CLOCK}?`, (match, { today }) =>
    within(dayReading(today + (DAY_WORDS[match[1] ?? ""] ?? 0)), match[2], match[3], match[4]),
  ),
  chineseRule(`([昨今明])(晚|早|夜)(?:上)?${CLOCK}?`, (match, { today }) => {
    const part = match[2] === "晚" ? "晚上" : match[2] === "早" ? "早上" : "夜里";
    return within(dayReading(today + (DAY_WORDS[match[1] ?? ""] ?? 0)), part, match[3], match[4]);
  }),
  chineseRule(`${STEP}(?:一|个)?${WEEK}([一二三四五六日天])(?!个)${PART}?${CLOCK}?`, (match, { today }) => {
    const step = STEP_WORDS[match[1] ?? ""] ?? 0;
    const day = mondayOf(today) + step * DAYS_PER_WEEK + weekdayNumber(match[2] ?? "");
    return within(dayReading(day), match[3], match[4], match[5]);
  }),
  chineseRule(
    `${STEP}(?:一|个)?${WEEK}([一二三四五六])\\s?(?:到|至|[-—~～])\\s?${WEEK}?([二三四五六日天])(?!个)`,
    (match, { today }) => {
      const monday = mondayOf(today) + (STEP_WORDS[match[1] ?? ""] ?? 0) * DAYS_PER_WEEK;
      const [first, last] = [weekdayNumber(match[2] ?? ""), weekdayNumber(match[3] ?? "")];
      return last <= first ? null : dateReading({ from: monday + first, to: monday + last + 1 }, "day");
    },
  ),
  chineseRule(
    `(?<![每隔上下这本个第两一二三四五六七八九十\\d])${WEEK}([一二三四五六日天])(?!个|[年月周])${PART}?${CLOCK}?`,
    (match, context) => within(bareWeekday(weekdayNumber(match[1] ?? ""), context), match[2], match[3], match[4]),
  ),
];

function bareWeekday(weekday: number, context: ReadingContext): Reading {
  const ahead = (weekday - weekdayOf(context.today) + DAYS_PER_WEEK) % DAYS_PER_WEEK || DAYS_PER_WEEK;
  const isPast = context.tense() === "past";
  return dayReading(
    context.today + (isPast && ahead < DAYS_PER_WEEK ? ahead - DAYS_PER_WEEK : isPast ? -ahead : ahead),
  );
}
