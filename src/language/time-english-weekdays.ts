import { DAYS_PER_WEEK, type Day, mondayOf, SATURDAY, weekdayOf } from "./calendar.js";
import { namedMonth } from "./time-english-months.js";
import { partOfDay } from "./time-english-near.js";
import {
  MONTH_FULL,
  ORDINAL,
  PART,
  RELATIVE_WORD,
  stepOf,
  WEEKDAY,
  WEEKDAYS,
  weekdayNumber,
  YEAR,
} from "./time-english-words.js";
import {
  dateReading,
  dayReading,
  monthlessDay,
  type Reading,
  type ReadingContext,
  type TimeRule,
  timeRule,
} from "./time-reading.js";
import { monthAway } from "./time-steps.js";

const NTH = ["first", "second", "third", "fourth", "last"];
/** "Good Friday" and the like are feasts, "Happy Monday" is a wish. */
const NO_DAY_BEFORE = "(?<!\\b(?:Black|Good|Easter|Ash|Cyber|Palm|Happy|every|each) )";
/** A number after a weekday is its date only when nothing is counted by it. */
const NOT_ITS_DATE = `(?!,? (?:the )?\\d{1,2}(?:st|nd|rd|th)\\b|,? \\d{1,2}(?:\\s*(?:[.,;!?)]|$)(?!\\d)| (?:${MONTH_FULL})))`;

/** Weekdays, with what places them: "last Friday", "on Monday evening", "the second Sunday of May". */
export const WEEKDAY_DAYS: readonly TimeRule[] = [
  timeRule(`\\b${RELATIVE_WORD} (${WEEKDAY})(?: ${PART})?\\b`, (match, context) =>
    withPart(relativeWeekday(weekdayNumber(match[2]), match[1] ?? "", context), match[3]),
  ),
  timeRule(`\\b(?:the )?(${WEEKDAY}) (before last|after next)\\b`, (match, context) => {
    const isBefore = (match[2] ?? "").toLowerCase().startsWith("before");
    const near = relativeWeekday(weekdayNumber(match[1]), isBefore ? "last" : "next", context).span.from;
    return dayReading(near + (isBefore ? -DAYS_PER_WEEK : DAYS_PER_WEEK));
  }),
  timeRule(`\\b(${WEEKDAY})(?: ${PART})?,?(?: of)? (last|next|this) week\\b`, (match, { today }) =>
    weekdayOfWeek(match[1], match[2], match[3], today),
  ),
  timeRule(`\\b(last|next|this) week,? (?:on )?(${WEEKDAY})(?: ${PART})?\\b`, (match, { today }) =>
    weekdayOfWeek(match[2], match[3], match[1], today),
  ),
  timeRule(
    "\\b(?:(last|next|this) |(?<=\\bon ))(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\\b(?! \\d)",
    (match, context) => {
      const weekday = WEEKDAYS.findIndex((name) => name.startsWith((match[2] ?? "").slice(0, 3).toLowerCase()));
      return match[1] === undefined ? bareWeekday(weekday, context) : relativeWeekday(weekday, match[1], context);
    },
    "gu",
  ),
  // It is today's name, or no date at all.
  timeRule(`(?<=\\b(?:[Ii]t(?:['’]?s| is)|[Tt]oday is) )${WEEKDAY}\\b`, (match, { today }) =>
    weekdayNumber(match[0]) === weekdayOf(today) ? dayReading(today) : null,
  ),
  // Capitalised, or after "on": "sunday best" and the like stay alone.
  timeRule(
    `${NO_DAY_BEFORE}(?<!\\b(?:[Ii]t(?:['’]?s| is)|[Tt]oday is) )(?:\\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|(?<=\\b(?:on|until|by|since|till|for|from|to) )(${WEEKDAY}))(?: ${PART})?\\b${NOT_ITS_DATE}`,
    (match, context) => withPart(bareWeekday(weekdayNumber(match[1] ?? match[2]), context), match[3]),
    "gu",
  ),
  timeRule(`\\b(${WEEKDAY}),? (?:the )?${ORDINAL}\\b(?! (?:of )?${MONTH_FULL})`, (match, context) => {
    const reading = monthlessDay(Number(match[2]), context);
    return reading !== null && weekdayOf(reading.span.from) === weekdayNumber(match[1]) ? reading : null;
  }),
  timeRule(
    `(?<!\\b(?:every|each) )\\b(?:the )?(${NTH.join("|")}) (${WEEKDAY}|weekend) (?:of|in) (?:(${MONTH_FULL})(?:,? ${YEAR})?|(?:the|(this|last|next)) (month))\\b(?! \\d)`,
    (match, context) => {
      const month = monthMeant(match, context);
      return month && nthDay(match[1] ?? "", match[2] ?? "", month);
    },
  ),
];

function withPart(reading: Reading, part: string | undefined): Reading {
  return part === undefined ? reading : partOfDay(reading.span.from, part.toLowerCase());
}

/** "last" is before today, "next" is in the week after this one, "this" is where the tense points. */
export function relativeWeekday(weekday: number, word: string, context: ReadingContext): Reading {
  const { today } = context;
  const back = (weekdayOf(today) - weekday + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
  const ahead = (weekday - weekdayOf(today) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
  const step = stepOf(word);
  if (step < 0) return dayReading(today - back - 1);
  if (/coming/iu.test(word)) return dayReading(today + (ahead === 0 ? DAYS_PER_WEEK : ahead));
  if (step > 0) return dayReading(mondayOf(today) + DAYS_PER_WEEK + weekday);
  if (context.tense() === "past") return dayReading(today - ((back + 1) % DAYS_PER_WEEK));
  return dayReading(today + ahead);
}

function bareWeekday(weekday: number, context: ReadingContext): Reading {
  return relativeWeekday(weekday, context.tense() === "past" ? "last" : "coming", context);
}

function weekdayOfWeek(name: string | undefined, part: string | undefined, week = "", today: Day): Reading {
  return withPart(dayReading(mondayOf(today) + stepOf(week) * DAYS_PER_WEEK + weekdayNumber(name)), part);
}

function monthMeant([, , , name, year, step]: RegExpMatchArray, context: ReadingContext): Reading | null {
  if (name === undefined) return monthAway(context.today, stepOf(step));
  return namedMonth(name, year, context);
}

/** "The second Sunday": counted from the first of the month; a weekend belongs to the month of its Saturday. */
function nthDay(name: string, weekday: string, month: Reading): Reading | null {
  const { from, to } = month.span;
  const wanted = weekday.toLowerCase() === "weekend" ? SATURDAY : weekdayNumber(weekday);
  const first = from + ((wanted - weekdayOf(from) + DAYS_PER_WEEK) % DAYS_PER_WEEK);
  const last = first + Math.floor((to - 1 - first) / DAYS_PER_WEEK) * DAYS_PER_WEEK;
  const day = name.toLowerCase() === "last" ? last : first + NTH.indexOf(name.toLowerCase()) * DAYS_PER_WEEK;
  if (day >= to) return null;
  const extra = { relative: month.relative, yearless: month.yearless };
  return wanted === SATURDAY && weekday.toLowerCase() === "weekend"
    ? dateReading({ from: day, to: day + 2 }, "weekend", extra)
    : dayReading(day, extra);
}
