import { DAYS_PER_WEEK, type DaySpan, dateOf, monthSpan } from "./calendar.js";
import { dateReading, type Reading } from "./time-reading.js";
import { MONTH_NAMES } from "./time-written.js";

/** A third of a month: its first ten days, the ten after them, or the rest; of a year its first, middle or last months. */
export type Third = "early" | "mid" | "late";

const THIRD_STARTS: Readonly<Record<Third, number>> = Object.freeze({ early: 0, mid: 10, late: 20 });
const DAYS_PER_THIRD = 10;
const THIRD_ZH: Readonly<Record<Third, string>> = Object.freeze({ early: "初", mid: "中", late: "底" });
const YEAR_MONTHS: Readonly<Record<Third, readonly [first: number, last: number]>> = Object.freeze({
  early: [1, 2],
  mid: [6, 7],
  late: [11, 12],
});
const WEEK_NAMES = Object.freeze(["first", "second", "third", "fourth"]);

function thirdSpan({ from, to }: DaySpan, third: Third): DaySpan {
  const start = from + THIRD_STARTS[third];
  return { from: start, to: third === "late" ? to : start + DAYS_PER_THIRD };
}

/** "late June" of the month that was read. */
export function thirdOfMonth(month: Reading | null, third: Third, isChinese = false): Reading | null {
  if (month === null) return null;
  const { year, month: number } = dateOf(month.span.from);
  const written = isChinese
    ? `${year}年${number}月${THIRD_ZH[third]}`
    : `${third === "mid" ? "mid-" : `${third} `}${MONTH_NAMES[number - 1]} ${year}`;
  return { ...month, span: thirdSpan(month.span, third), written };
}

/** "The end of the year": November and December. */
export function thirdOfYear(year: number, third: Third, isChinese = false): Reading {
  const [first, last] = YEAR_MONTHS[third];
  const span = { from: monthSpan(year, first).from, to: monthSpan(year, last).to };
  const written = isChinese ? `${year}年${THIRD_ZH[third]}` : `${third === "mid" ? "mid-" : `${third} `}${year}`;
  return dateReading(span, "month", { written });
}

/** "The first week of May": seven days counted from the first of the month; the last week are its last seven. */
export function weekOfMonth(month: Reading | null, name: string): Reading | null {
  if (month === null) return null;
  const { from, to } = month.span;
  const { year, month: number } = dateOf(from);
  const start = name === "last" ? to - DAYS_PER_WEEK : from + WEEK_NAMES.indexOf(name) * DAYS_PER_WEEK;
  const written = `the ${name} week of ${MONTH_NAMES[number - 1]} ${year}`;
  return { ...month, granularity: "week", span: { from: start, to: start + DAYS_PER_WEEK }, written };
}
