import { addMonths, DAYS_PER_WEEK, type DaySpan, dateOf, seasonSpan } from "./calendar.js";
import { awayByUnit } from "./time-english-counted.js";
import { MONTH_FULL, monthNumber, RELATIVE_WORD, SEASON, SEASONS, stepOf, WEEKDAY } from "./time-english-words.js";
import {
  dateReading,
  dayReading,
  fullMonth,
  type Reading,
  type ReadingContext,
  seasonFrom,
  type TimeRule,
  timeRule,
  unresolved,
} from "./time-reading.js";
import { monthAway, weekAway, weekendAway, yearAway } from "./time-steps.js";
import { englishDay } from "./time-written.js";

/** What may follow "the week before" when it is told from another event than now. */
const OTHER_EVENT = "(?! (?:the|my|our|his|her|their|your|a|that|i|we|he|she|they)\\b)(?! \\p{Lu})";
const YEAR_STEP = "(last|this|next) year";

/** Weeks, months, seasons and years that are named from now: "last week", "the year after next". */
export const PERIODS: readonly TimeRule[] = [
  // "the last week of August" is no week before this one.
  timeRule(
    `\\b${RELATIVE_WORD} (week|weekend|month|year)\\b(?! (?:of (?!last\\b|this\\b|next\\b)|before \\d))`,
    (match, { today }) => {
      const step = stepOf(match[1]);
      const unit = (match[2] ?? "").toLowerCase();
      if (unit === "week") return weekAway(today, step);
      if (unit === "month") return monthAway(today, step);
      if (unit === "year") return yearAway(today, step);
      // "the coming weekend" is this week's; "next weekend" is the one after it.
      return weekendAway(today, /coming/iu.test(match[1] ?? "") ? 0 : step);
    },
  ),
  timeRule("\\bthe (?:past|last) (week|month|year)\\b(?! (?:of|in|before)\\b)", (match, { today }) =>
    upToToday((match[1] ?? "").toLowerCase(), today),
  ),
  timeRule(`\\bthe (week|weekend|month|year) before last\\b(?! (?:week|month|year|${WEEKDAY}))`, (match, context) =>
    awayByUnit(-2, (match[1] ?? "").toLowerCase(), context),
  ),
  timeRule(`\\bthe (week|weekend|month|year) (before|after)\\b${OTHER_EVENT}(?! \\d)`, (match, context) =>
    awayByUnit((match[2] ?? "").toLowerCase() === "before" ? -1 : 1, (match[1] ?? "").toLowerCase(), context),
  ),
  timeRule("\\bthe (week|weekend|month|year) after next\\b", (match, context) =>
    awayByUnit(2, (match[1] ?? "").toLowerCase(), context),
  ),
  timeRule(
    "(?<=\\b(?:over|on|at|during|for|until|by) )(?:the|this) weekend\\b(?! (?:before|after|of)\\b)",
    (_, context) => weekendAway(context.today, context.tense() === "past" ? -1 : 0),
  ),
  timeRule("(?<=\\bend of )the week\\b(?! (?:before|after|of)\\b)", (_, context) =>
    context.tense() === "future" ? weekAway(context.today, 0) : null,
  ),
  timeRule(`\\b(last|next|this(?: past| coming)?) (${MONTH_FULL})\\b(?! \\d)`, (match, context) =>
    asRelative(relativeMonth(monthNumber(match[2] ?? ""), stepOf(match[1]), context)),
  ),
  timeRule(`\\b(last|next|this(?: past| coming)?) ${SEASON}\\b`, (match, context) =>
    seasonFrom(seasonNumber(match[2]), stepOf(match[1]), context),
  ),
  timeRule(`\\b(?:(${MONTH_FULL})|the ${SEASON})(?: of|,)? ${YEAR_STEP}\\b`, (match, { today }) =>
    withinYear(dateOf(today).year + stepOf(match[3]), match[1], match[2]),
  ),
  timeRule(`\\b${YEAR_STEP},? (?:in|during) (?:(${MONTH_FULL})|(?:the )?${SEASON})\\b(?! \\d)`, (match, { today }) =>
    withinYear(dateOf(today).year + stepOf(match[1]), match[2], match[3]),
  ),
  timeRule("\\b(?:at |around )?this time (last|next) (week|month|year)\\b", (match, { today }) => {
    const step = stepOf(match[1]);
    const unit = (match[2] ?? "").toLowerCase();
    if (unit === "week") return dayReading(today + step * DAYS_PER_WEEK);
    const { span } = monthAway(today, step * (unit === "year" ? 12 : 1));
    const about = addMonths(today, step * (unit === "year" ? 12 : 1));
    return unit === "year"
      ? dateReading(span, "month")
      : dateReading({ from: about - 1, to: about + 2 }, "day", { written: `around ${englishDay(about)}` });
  }),
  timeRule(
    `\\bthe following (?:day|morning|afternoon|evening|night|week|weekend|month|year|spring|summer|fall|autumn|winter|${WEEKDAY}|${MONTH_FULL})\\b|\\bthe next (?:day|morning|afternoon|evening|night)\\b`,
    (_, context) => unresolved("unclear", context),
  ),
];

function seasonNumber(name = ""): number {
  return SEASONS[name.toLowerCase()] ?? 0;
}

function withinYear(year: number, month: string | undefined, season: string | undefined): Reading | null {
  if (month !== undefined) return asRelative(fullMonth(year, monthNumber(month)));
  return dateReading(seasonSpan(year, seasonNumber(season)), "season");
}

/** "The past year": the one that ends today, not the calendar's. */
function upToToday(unit: string, today: number): Reading {
  const from = unit === "week" ? today - DAYS_PER_WEEK : addMonths(today, unit === "month" ? -1 : -12);
  const span: DaySpan = { from, to: today };
  return dateReading(span, "week", { written: `the ${unit} before ${englishDay(today)}` });
}

function relativeMonth(month: number, step: number, { today }: ReadingContext): Reading | null {
  const now = dateOf(today);
  if (step === 0) return fullMonth(now.year, month);
  // "last May" in May is a year ago; "next May" in May is a year ahead.
  const year = step < 0 ? now.year - (month < now.month ? 0 : 1) : now.year + (month > now.month ? 0 : 1);
  return fullMonth(year, month);
}

function asRelative(reading: Reading | null): Reading | null {
  return reading && { ...reading, relative: true };
}
