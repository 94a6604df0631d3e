import { DAYS_PER_WEEK, type Day, type DaySpan, weekdayOf, weekendSpan, weekSpan } from "./calendar.js";
import { dayAway } from "./time-english-counted.js";
import { partOfDay } from "./time-english-near.js";
import { COUNT, isRough, numberOf, QUALIFIER, UNIT, WEEKDAY, weekdayNumber } from "./time-english-words.js";
import type { Reading } from "./time-reading.js";
import { englishDay } from "./time-written.js";

/** How much text before a day may hold what places it. */
const REACH = 40;
const PART_OF = /\b(?:the )?(morning|afternoon|evening|night|week|weekend) of (?:the )?$/iu;
const ABOUT = /\b(around|shortly before) (?:the )?$/iu;
const WEEKDAY_BESIDE = new RegExp(`\\b(?:the )?(${WEEKDAY}) (before|after) $`, "iu");
const COUNTED_BESIDE = new RegExp(`(?<!\\bfor )\\b(?:(?:(${QUALIFIER}) )?${COUNT}|the) ${UNIT} (before|after) $`, "iu");

interface Led {
  readonly reading: Reading;
  /** Where the words before the day begin. */
  readonly at: number;
}

/** "the morning of 3 May", "the week of May 1", "two days before Christmas": a day with the words before it; null without. */
export function withLead(text: string, at: number, day: Reading): Led | null {
  const before = text.slice(Math.max(0, at - REACH), at);
  for (const [pattern, read] of LEADS) {
    const match = pattern.exec(before);
    const reading = match && read(match, day);
    if (match !== null && reading !== null) return { reading, at: at - match[0].length };
  }
  return null;
}

const LEADS: readonly (readonly [RegExp, (match: RegExpExecArray, day: Reading) => Reading | null])[] = [
  [PART_OF, partOf],
  [ABOUT, about],
  [WEEKDAY_BESIDE, weekdayBeside],
  [COUNTED_BESIDE, countedBeside],
];

function partOf([, words = ""]: RegExpExecArray, day: Reading): Reading {
  const unit = words.toLowerCase();
  const { relative, yearless, span } = day;
  if (unit === "week") return { ...day, span: weekSpan(span.from), granularity: "week", written: null };
  if (unit === "weekend") return { ...day, span: weekendSpan(span.from), granularity: "weekend", written: null };
  return { ...partOfDay(span.from, unit), relative, yearless };
}

function about([, words = ""]: RegExpExecArray, day: Reading): Reading {
  const { from, to } = day.span;
  const isAround = words.toLowerCase() === "around";
  const span = isAround ? { from: from - 1, to: to + 1 } : { from: from - DAYS_PER_WEEK, to: from };
  return onDays(day, span, `${words.toLowerCase()} ${englishDay(from)}`);
}

function weekdayBeside([, name, side]: RegExpExecArray, day: Reading): Reading {
  const weekday = weekdayNumber(name);
  const from = day.span.from;
  const back = (weekdayOf(from) - weekday + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
  const ahead = (weekday - weekdayOf(from) + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
  return onDays(day, oneDay(isBefore(side) ? from - back - 1 : from + ahead + 1), null);
}

/** Days are counted; of longer times, and of "a few", the words are kept. */
function countedBeside([said, qualifier, words, unit = "", side]: RegExpExecArray, day: Reading): Reading | null {
  const sign = isBefore(side) ? -1 : 1;
  const count = words === undefined ? 1 : numberOf(words.toLowerCase());
  const from = day.span.from;
  const other = count === null ? null : dayAway(from, sign * count, unit.toLowerCase());
  if (other === null) return null;
  const isExact = unit.toLowerCase() === "day" && qualifier === undefined && !isRough(words ?? "");
  if (isExact) return onDays(day, oneDay(other), null);
  const span = words === undefined ? { from: Math.min(from, other), to: Math.max(from, other) } : oneDay(other);
  return onDays(day, span, `${said.charAt(0).toLowerCase()}${said.slice(1)}${englishDay(from)}`);
}

function onDays(day: Reading, span: DaySpan, written: string | null): Reading {
  return { ...day, span, written };
}

function oneDay(day: Day): DaySpan {
  return { from: day, to: day + 1 };
}

function isBefore(side = ""): boolean {
  return side.toLowerCase() === "before";
}
