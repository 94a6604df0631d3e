import { addMonths, DAYS_PER_WEEK, type Day } from "./calendar.js";
import { relativeWeekday } from "./time-english-weekdays.js";
import { COUNT, isRough, numberOf, QUALIFIER, UNIT, WEEKDAY, weekdayNumber } from "./time-english-words.js";
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

/** "I can run it in four hours" tells how long it takes; "I can come in four hours" when. */
const MAY_LAST = /\b(?:can|could|able to|usually|always|often|normally|takes?)\b/iu;

/** What is counted from now: "two weeks ago", "in three days". */
export const COUNTED: readonly TimeRule[] = [
  timeRule(`\\b${COUNT}[ -]${UNIT} (?:ago|back)\\b`, (match, context) =>
    countedAway(-1, wordOf(match[1]), wordOf(match[2]), context),
  ),
  timeRule(`\\bin (?:about |around )?${COUNT} ${UNIT}(?:['’]s?)?(?: time)?\\b(?! of\\b)`, (match, context) => {
    // "in two days we had finished" tells how long it took.
    if (context.tense() === "past") return unresolved("duration", context);
    if (MAY_LAST.test(context.clause())) return unresolved("unclear", context);
    return countedAway(1, wordOf(match[1]), wordOf(match[2]), context);
  }),
  timeRule(`\\b(${QUALIFIER}) ${COUNT} ${UNIT} ago\\b`, (match, context) => {
    const reading = countedAway(-1, wordOf(match[2]), wordOf(match[3]), context);
    if (reading === null || reading.granularity === "time") return reading;
    return { ...reading, written: `${match[0].replace(/ ago$/iu, "")} before ${englishDay(context.today)}` };
  }),
  timeRule(`\\b${COUNT} ${UNIT} ago (?:today|to the day)\\b`, (match, context) => {
    const count = numberOf(wordOf(match[1]));
    const day = count === null ? null : dayAway(context.today, -count, wordOf(match[2]));
    return day === null ? null : dayReading(day);
  }),
  timeRule(
    `\\b(?:${COUNT}(?: |-)and(?: |-)a(?: |-)half ${UNIT}|${COUNT} ${UNIT} and a half) (ago|from now)\\b`,
    (match, context) => {
      const count = numberOf(wordOf(match[1] ?? match[3]));
      const sign = wordOf(match[5]) === "ago" ? -1 : 1;
      return count === null ? null : halvesAway(sign * (count + 0.5), wordOf(match[2] ?? match[4]), context);
    },
  ),
  timeRule(`\\b${COUNT} ${UNIT} from (now|today|tomorrow)\\b`, (match, context) => {
    const count = numberOf(wordOf(match[1]));
    if (count === null) return null;
    const anchor = wordOf(match[3]);
    const unit = wordOf(match[2]);
    if (anchor === "now" || unit === "month" || unit === "year") return awayByUnit(count, unit, context);
    const day = dayAway(context.today + (anchor === "tomorrow" ? 1 : 0), count, unit);
    return day === null ? null : dayReading(day);
  }),
  timeRule(`\\b${COUNT} (week|fortnight)s? (?:from|on) (${WEEKDAY})\\b`, (match, context) => {
    const count = numberOf(wordOf(match[1]));
    if (count === null || context.tense() === "past") return null;
    const next = relativeWeekday(weekdayNumber(match[3]), "coming", context).span.from;
    return dayReading(next + count * DAYS_PER_WEEK * (wordOf(match[2]) === "week" ? 1 : 2));
  }),
  timeRule(`\\b(?:(${WEEKDAY})|(today|tomorrow)) week\\b(?!['’-]| (?:of|long)\\b)`, (match, context) => {
    if (match[1] === undefined)
      return dayReading(context.today + DAYS_PER_WEEK + (wordOf(match[2]) === "today" ? 0 : 1));
    return dayReading(relativeWeekday(weekdayNumber(match[1]), "coming", context).span.from + DAYS_PER_WEEK);
  }),
  timeRule(`\\b${COUNT} (${WEEKDAY})s? ago\\b`, (match, context) => {
    const count = numberOf(wordOf(match[1]));
    if (count === null || !Number.isInteger(count) || isRough(wordOf(match[1]))) return null;
    const last = relativeWeekday(weekdayNumber(match[2]), "last", context).span.from;
    return dayReading(last - (count - 1) * DAYS_PER_WEEK);
  }),
  // Which week that is, readers do not agree on.
  timeRule(`\\b${COUNT} weeks? ago,? (?:on )?(?:last )?${WEEKDAY}\\b`, (_, context) => unresolved("unclear", context)),
  timeRule(`\\b${COUNT} ${UNIT} later\\b`, (_, context) => unresolved("unclear", context)),
];

function wordOf(match = ""): string {
  return match.toLowerCase();
}

/** The day that lies some whole units away, to the day; null for units that do not count days. */
export function dayAway(day: Day, count: number, unit: string): Day | null {
  if (!Number.isInteger(count)) return null;
  if (unit === "day" || unit === "night") return day + count;
  if (unit === "week") return day + count * DAYS_PER_WEEK;
  if (unit === "fortnight") return day + 2 * count * DAYS_PER_WEEK;
  if (unit === "month") return addMonths(day, count);
  if (unit === "year") return addMonths(day, count * 12);
  return unit === "decade" ? addMonths(day, count * 120) : null;
}

/** A counted time before or after now. "A few" is no count: the words are kept, and the day that they are told from. */
function countedAway(sign: -1 | 1, words: string, unit: string, context: ReadingContext): Reading | null {
  const count = numberOf(words);
  if (count === null) return null;
  const reading = awayByUnit(sign * count, unit, context);
  if (reading === null || !isRough(words) || reading.granularity === "time") return reading;
  if (unit === "day" || unit === "night") {
    const day = context.today + sign * count;
    return dateReading({ from: day - 1, to: day + 2 }, "day", { written: `around ${englishDay(day)}` });
  }
  const written = `${words} ${unit}s ${sign < 0 ? "before" : "after"} ${englishDay(context.today)}`;
  return { ...reading, written };
}

/** `count` units away from today: days as a day, weeks as a week, and so on, as exact as the words are. */
export function awayByUnit(count: number, unit: string, context: ReadingContext): Reading | null {
  const { today } = context;
  if (unit === "minute") return momentReading(context, count);
  if (unit === "hour") return momentReading(context, count * 60);
  if (unit === "month" && Math.abs(count) === 0.5) return weekAway(today, Math.sign(count) * 2);
  if (unit === "year" && Math.abs(count) === 0.5) return monthAway(today, Math.sign(count) * 6);
  if (!Number.isInteger(count)) return null;
  if (unit === "day" || unit === "night") return dayReading(today + count);
  if (unit === "week") return weekAway(today, count);
  if (unit === "fortnight") return weekAway(today, count * 2);
  if (unit === "weekend") return weekendAway(today, count);
  if (unit === "month") return monthAway(today, count);
  return yearAway(today, unit === "decade" ? count * 10 : count);
}

/** "A year and a half": as exact as half of the unit is. */
function halvesAway(count: number, unit: string, context: ReadingContext): Reading | null {
  if (unit === "minute" || unit === "hour") return awayByUnit(count, unit, context);
  if (unit === "year") return monthAway(context.today, count * 12);
  if (unit === "month") {
    const day = addMonths(context.today, Math.trunc(count)) + Math.sign(count) * 15;
    return weekAway(day, 0);
  }
  if (unit !== "week") return null;
  const day = context.today + Math.trunc(count * DAYS_PER_WEEK);
  return dateReading({ from: day - 1, to: day + 2 }, "day", { written: `around ${englishDay(day)}` });
}
