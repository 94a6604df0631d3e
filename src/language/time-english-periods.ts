import { dateOf, seasonSpan } from "./calendar.js";
import { awayByUnit } from "./time-english-counted.js";
import { MONTH_FULL, monthNumber, RELATIVE_WORD, SEASONS, stepOf } from "./time-english-words.js";
import {
  dateReading,
  fullMonth,
  type Reading,
  type ReadingContext,
  seasonFrom,
  type TimeRule,
  timeRule,
} from "./time-reading.js";
import { monthAway, weekAway, weekendAway, yearAway } from "./time-steps.js";

/** Weeks, months, seasons and years that are named from now: "last week", "the year after next". */
export const PERIODS: readonly TimeRule[] = [
  // "the last week of August" is no week before this one.
  timeRule(
    `\\b${RELATIVE_WORD} (week|weekend|month|year)\\b(?! of (?!last\\b|this\\b|next\\b))`,
    (match, { today }) => {
      const step = stepOf((match[1] ?? "").toLowerCase());
      const unit = (match[2] ?? "").toLowerCase();
      if (unit === "week") return weekAway(today, step);
      if (unit === "month") return monthAway(today, step);
      if (unit === "year") return yearAway(today, step);
      // "the coming weekend" is this week's; "next weekend" is the one after it.
      return weekendAway(today, /coming/iu.test(match[1] ?? "") ? 0 : step);
    },
  ),
  timeRule("\\bthe (week|weekend|month|year) before last\\b", (match, context) =>
    awayByUnit(-2, (match[1] ?? "").toLowerCase(), false, context),
  ),
  timeRule(
    "\\bthe (week|weekend|month|year) (before|after)\\b(?! (?:the|my|our|his|her|their|your|a|that|i|we|he|she|they)\\b)(?! \\p{Lu})",
    (match, context) =>
      awayByUnit((match[2] ?? "").toLowerCase() === "before" ? -1 : 1, (match[1] ?? "").toLowerCase(), false, context),
  ),
  timeRule("\\bthe (week|month|year) after next\\b", (match, context) =>
    awayByUnit(2, (match[1] ?? "").toLowerCase(), false, context),
  ),
  timeRule(
    "(?<=\\b(?:over|on|at|during|for|until|by) )(?:the|this) weekend\\b(?! (?:before|after|of)\\b)",
    (_, context) => weekendAway(context.today, context.tense() === "past" ? -1 : 0),
  ),
  timeRule(`\\b(last|next|this(?: past| coming)?) (${MONTH_FULL})\\b(?! \\d)`, (match, context) => {
    const step = stepOf((match[1] ?? "").toLowerCase());
    return asRelative(relativeMonth(monthNumber(match[2] ?? ""), step, context));
  }),
  timeRule("\\b(last|next|this(?: past| coming)?) (spring|summer|fall|autumn|winter)\\b", (match, context) =>
    seasonFrom(SEASONS[(match[2] ?? "").toLowerCase()] ?? 0, stepOf((match[1] ?? "").toLowerCase()), context),
  ),
  timeRule(
    `\\b(${MONTH_FULL}|the (?:spring|summer|fall|autumn|winter)) of (last|this|next) year\\b`,
    (match, { today }) => {
      const year = dateOf(today).year + stepOf((match[2] ?? "").toLowerCase());
      const season = SEASONS[(match[1] ?? "").toLowerCase().replace("the ", "")];
      if (season !== undefined) return dateReading(seasonSpan(year, season), "season");
      return asRelative(fullMonth(year, monthNumber(match[1] ?? "")));
    },
  ),
];

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
