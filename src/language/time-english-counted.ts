import { DAYS_PER_WEEK } from "./calendar.js";
import { relativeWeekday } from "./time-english-weekdays.js";
import { COUNT, isRough, numberOf, UNIT, WEEKDAY, weekdayNumber } from "./time-english-words.js";
import {
  dateReading,
  dayReading,
  momentReading,
  type Reading,
  type ReadingContext,
  type TimeRule,
  timeRule,
  unresolved,
} from "./time-reading.js";
import { monthAway, weekAway, weekendAway, yearAway } from "./time-steps.js";
import { englishDay } from "./time-written.js";

/** What is counted from now: "two weeks ago", "in three days". */
export const COUNTED: readonly TimeRule[] = [
  timeRule(`\\b${COUNT}[ -]${UNIT} (?:ago|back)\\b`, (match, context) => {
    const count = numberOf((match[1] ?? "").toLowerCase());
    return count === null ? null : awayByUnit(-count, unitOf(match), isRough(match[1] ?? ""), context);
  }),
  timeRule(`\\bin (?:about |around )?${COUNT} ${UNIT}(?:['’]s? time)?\\b(?! of\\b)`, (match, context) => {
    // "in two days we had finished" tells how long it took.
    if (context.tense() === "past") return unresolved("duration", context);
    const count = numberOf((match[1] ?? "").toLowerCase());
    return count === null ? null : awayByUnit(count, unitOf(match), isRough(match[1] ?? ""), context);
  }),
  timeRule(`\\b${COUNT} ${UNIT} from (now|today|tomorrow)\\b`, (match, context) => {
    const count = numberOf((match[1] ?? "").toLowerCase());
    if (count === null) return null;
    const anchor = (match[3] ?? "").toLowerCase();
    const unit = unitOf(match);
    if (anchor === "now" || unit === "month" || unit === "year") return awayByUnit(count, unit, false, context);
    const start = context.today + (anchor === "tomorrow" ? 1 : 0);
    return dayReading(start + count * (unit === "week" ? DAYS_PER_WEEK : 1));
  }),
  timeRule(`\\b${COUNT} weeks? from (${WEEKDAY})\\b`, (match, context) => {
    const count = numberOf((match[1] ?? "").toLowerCase());
    const weekday = weekdayNumber(match[2]);
    const next = relativeWeekday(weekday, "coming", context).span.from;
    return count === null ? null : dayReading(next + count * DAYS_PER_WEEK);
  }),
];

function unitOf(match: RegExpMatchArray): string {
  return (match[2] ?? "").toLowerCase();
}

/** `count` units away from today: days as a day, weeks as a week, and so on, as exact as the words are. */
export function awayByUnit(count: number, unit: string, rough: boolean, context: ReadingContext): Reading | null {
  const { today } = context;
  if (unit === "minute") return momentReading(context, count * 1);
  if (unit === "hour") return momentReading(context, count * 60);
  if (unit === "month" && Math.abs(count) === 0.5) return weekAway(today, Math.sign(count) * 2);
  if (unit === "year" && Math.abs(count) === 0.5) return monthAway(today, Math.sign(count) * 6);
  if (!Number.isInteger(count)) return null;
  if (unit === "day" || unit === "night") {
    const day = today + count;
    if (!rough) return dayReading(day);
    return dateReading({ from: day - 1, to: day + 2 }, "day", { written: `around ${englishDay(day)}` });
  }
  if (unit === "week") return weekAway(today, count);
  if (unit === "fortnight") return weekAway(today, count * 2);
  if (unit === "weekend") return weekendAway(today, count);
  if (unit === "month") return monthAway(today, count);
  return yearAway(today, unit === "decade" ? count * 10 : count);
}
