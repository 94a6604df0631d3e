import { DAYS_PER_WEEK, mondayOf, weekdayOf } from "./calendar.js";
import { partOfDay } from "./time-english-near.js";
import { PART, RELATIVE_WORD, stepOf, WEEKDAY, WEEKDAYS, weekdayNumber } from "./time-english-words.js";
import { dayReading, type Reading, type ReadingContext, type TimeRule, timeRule } from "./time-reading.js";

/** Weekdays, with what places them: "last Friday", "on Monday evening". */
export const WEEKDAY_DAYS: readonly TimeRule[] = [
  timeRule(`\\b${RELATIVE_WORD} (${WEEKDAY})(?: ${PART})?\\b`, (match, context) => {
    const weekday = weekdayNumber(match[2]);
    const reading = relativeWeekday(weekday, (match[1] ?? "").toLowerCase(), context);
    return match[3] === undefined ? reading : partOfDay(reading.span.from, match[3].toLowerCase());
  }),
  timeRule(`\\b(${WEEKDAY}) (before last|after next)\\b`, (match, context) => {
    const weekday = weekdayNumber(match[1]);
    const isBefore = (match[2] ?? "").toLowerCase().startsWith("before");
    const near = relativeWeekday(weekday, isBefore ? "last" : "next", context).span.from;
    return dayReading(near + (isBefore ? -DAYS_PER_WEEK : DAYS_PER_WEEK));
  }),
  timeRule(`\\b(${WEEKDAY})( (?:last|next) week)\\b`, (match, { today }) => {
    const weekday = weekdayNumber(match[1]);
    const step = stepOf((match[2] ?? "").toLowerCase());
    return dayReading(mondayOf(today) + step * DAYS_PER_WEEK + weekday);
  }),
  timeRule(
    "\\b(?:(last|next|this) |(?<=\\bon ))(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\\b(?! \\d)",
    (match, context) => {
      const weekday = WEEKDAYS.findIndex((name) => name.startsWith((match[2] ?? "").slice(0, 3).toLowerCase()));
      return match[1] === undefined ? bareWeekday(weekday, context) : relativeWeekday(weekday, match[1], context);
    },
    "gu",
  ),
  // Capitalised, or after "on": "sunday best" and the like stay alone.
  timeRule(
    `(?<!\\bBlack |\\bGood |\\bEaster |\\bAsh |\\bCyber |\\bPalm )(?:\\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|(?<=\\b(?:on|until|by|since|till|for|from|to) )(${WEEKDAY}))(?: ${PART})?\\b(?!,? (?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b(?!:))`,
    (match, context) => {
      const weekday = weekdayNumber(match[1] ?? match[2]);
      const reading = bareWeekday(weekday, context);
      return match[3] === undefined ? reading : partOfDay(reading.span.from, match[3]);
    },
    "gu",
  ),
];

/** "last" is before today, "next" is in the week after this one, "this" is where the tense points. */
export function relativeWeekday(weekday: number, word: string, context: ReadingContext): Reading {
  const { today } = context;
  const back = (weekdayOf(today) - weekday + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
  const ahead = (weekday - weekdayOf(today) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
  const step = stepOf(word);
  if (step < 0) return dayReading(today - back - 1);
  if (/coming|following/u.test(word)) return dayReading(today + (ahead === 0 ? DAYS_PER_WEEK : ahead));
  if (step > 0) return dayReading(mondayOf(today) + DAYS_PER_WEEK + weekday);
  if (context.tense() === "past") return dayReading(today - ((back + 1) % DAYS_PER_WEEK));
  return dayReading(today + ahead);
}

function bareWeekday(weekday: number, context: ReadingContext): Reading {
  return relativeWeekday(weekday, context.tense() === "past" ? "last" : "coming", context);
}
