import { DAYS_PER_WEEK, type Day, dateOf, daySpan, mondayOf, seasonSpan, weekdayOf, weekendSpan } from "./calendar.js";
import { type Third, thirdOfMonth, thirdOfYear, weekOfMonth } from "./time-parts.js";
import {
  dateReading,
  dayReading,
  fullDate,
  fullMonth,
  momentReading,
  monthlessDay,
  type Reading,
  type ReadingContext,
  seasonFrom,
  type TimeRule,
  type TimeRuleGroup,
  unresolved,
  yearlessDate,
  yearlessMonth,
  yearReading,
} from "./time-reading.js";
import { monthAway, weekAway, yearAway } from "./time-steps.js";
import { DAY_PARTS, englishDay } from "./time-written.js";

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTH_KEYS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SEASONS: Readonly<Record<string, number>> = Object.freeze({
  spring: 0,
  summer: 1,
  fall: 2,
  autumn: 2,
  winter: 3,
});
const SMALL_NUMBERS: Readonly<Record<string, number>> = Object.freeze({
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  couple: 2,
  few: 3,
  several: 4,
});

const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const MONTH_FULL = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const MONTH_ANY = `(?:${MONTH_FULL}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\b\\.?)`;
/** Lower-case month names that are no other word. */
const MONTH_LOWER = MONTH_ANY.replace("March|", "").replace("May|", "").replace("Mar|", "").toLowerCase();
const MONTH = `(?:${MONTH_ANY}|${MONTH_LOWER})`;
const DAY_NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?";
const ORDINAL = "(\\d{1,2})(?:st|nd|rd|th)";
const YEAR = "((?:1[89]|20)\\d\\d)";
const NOT_AFTER = "(?<![\\w$€£#.,:/-])";
const NOT_BEFORE = "(?![\\w%]|[.,:/-]\\d)";
const COUNT =
  "(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|a couple(?: of)?|a few|few|several|half an?)";
const UNIT = "(minute|hour|day|night|week|weekend|fortnight|month|year|decade)s?";
const PART = "(morning|afternoon|evening|night)";
const RELATIVE_WORD =
  "(last|past|next|this|this past|this coming|the coming|coming|the following|the previous|previous)";

function numberOf(words: string): number | null {
  if (/^\d+$/u.test(words)) return Number(words);
  if (words.startsWith("half")) return 0.5;
  return SMALL_NUMBERS[words.replace(/^a (?=couple|few)/u, "").replace(/ of$/u, "")] ?? null;
}

function monthNumber(name: string): number {
  return MONTH_KEYS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function isRough(words: string): boolean {
  return /few|several/u.test(words);
}

/** -1, 0 or 1 for "last", "this", "next" and their like. */
function stepOf(word: string): -1 | 0 | 1 {
  if (/last|past|previous/u.test(word)) return -1;
  return /next|coming|following/u.test(word) ? 1 : 0;
}

/** `count` units away from today: days as a day, weeks as a week, and so on, as exact as the words are. */
function awayByUnit(count: number, unit: string, rough: boolean, context: ReadingContext): Reading | null {
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
  if (unit === "weekend") return weekendAway(count, today);
  if (unit === "month") return monthAway(today, count);
  return yearAway(today, unit === "decade" ? count * 10 : count);
}

function weekendAway(steps: number, today: Day): Reading {
  return dateReading(weekendSpan(today + steps * DAYS_PER_WEEK), "weekend");
}

/** "last" is before today, "next" is in the week after this one, "this" is where the tense points. */
function relativeWeekday(weekday: number, word: string, context: ReadingContext): Reading {
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

function partOfDay(day: Day, part: string): Reading {
  const { start, end } = DAY_PARTS[part as keyof typeof DAY_PARTS] ?? DAY_PARTS.evening;
  return dateReading(daySpan(day), "time", { clock: { start, end } });
}

function dayRange(first: Reading | null, last: Reading | null): Reading | null {
  if (first === null || last === null || last.span.from < first.span.from) return null;
  return { ...first, span: { from: first.span.from, to: last.span.to } };
}

/** A date whose year may be missing or cut off. */
function dateWithin(year: string | undefined, month: number, day: number, context: ReadingContext): Reading | null {
  return year === undefined ? yearlessDate(month, day, context) : fullDate(Number(year), month, day);
}

function rule(source: string, read: TimeRule["read"], flags = "giu"): TimeRule {
  return { pattern: new RegExp(source, flags), read };
}

const NEAR_DAYS: readonly TimeRule[] = [
  rule(`\\bthe day before yesterday\\b`, (_, { today }) => dayReading(today - 2)),
  rule(`\\bthe day after tomorrow\\b`, (_, { today }) => dayReading(today + 2)),
  rule(`\\b(yesterday|today|tomorrow)(?: ${PART})?\\b`, (match, { today }) => {
    const word = (match[1] ?? "").toLowerCase();
    const day = today + (word === "yesterday" ? -1 : word === "tomorrow" ? 1 : 0);
    return match[2] === undefined ? dayReading(day) : partOfDay(day, match[2].toLowerCase());
  }),
  rule("\\b(?:tonight|tonite)\\b", (_, { today }) => partOfDay(today, "evening")),
  rule(`\\blast (night|evening)\\b`, (match, { today }) => partOfDay(today - 1, (match[1] ?? "").toLowerCase())),
  rule(`\\bthis (morning|afternoon|evening)\\b`, (match, { today }) =>
    partOfDay(today, (match[1] ?? "").toLowerCase()),
  ),
  rule("\\bthe other (?:day|night)\\b", (_, { today }) =>
    dateReading({ from: today - 7, to: today }, "day", { written: `shortly before ${englishDay(today)}` }),
  ),
];

const COUNTED: readonly TimeRule[] = [
  rule(`\\b${COUNT}[ -]${UNIT} (?:ago|back)\\b`, (match, context) => {
    const count = numberOf((match[1] ?? "").toLowerCase());
    return count === null ? null : awayByUnit(-count, unitOf(match), isRough(match[1] ?? ""), context);
  }),
  rule(`\\bin (?:about |around )?${COUNT} ${UNIT}(?:['’]s? time)?\\b(?! of\\b)`, (match, context) => {
    // "in two days we had finished" tells how long it took.
    if (context.tense() === "past") return unresolved("duration", context);
    const count = numberOf((match[1] ?? "").toLowerCase());
    return count === null ? null : awayByUnit(count, unitOf(match), isRough(match[1] ?? ""), context);
  }),
  rule(`\\b${COUNT} ${UNIT} from (now|today|tomorrow)\\b`, (match, context) => {
    const count = numberOf((match[1] ?? "").toLowerCase());
    if (count === null) return null;
    const anchor = (match[3] ?? "").toLowerCase();
    const unit = unitOf(match);
    if (anchor === "now" || unit === "month" || unit === "year") return awayByUnit(count, unit, false, context);
    const start = context.today + (anchor === "tomorrow" ? 1 : 0);
    return dayReading(start + count * (unit === "week" ? DAYS_PER_WEEK : 1));
  }),
  rule(`\\b${COUNT} weeks? from (${WEEKDAY})\\b`, (match, context) => {
    const count = numberOf((match[1] ?? "").toLowerCase());
    const weekday = WEEKDAYS.indexOf((match[2] ?? "").toLowerCase());
    const next = relativeWeekday(weekday, "coming", context).span.from;
    return count === null ? null : dayReading(next + count * DAYS_PER_WEEK);
  }),
];

function unitOf(match: RegExpMatchArray): string {
  return (match[2] ?? "").toLowerCase();
}

const PERIODS: readonly TimeRule[] = [
  // "the last week of August" is no week before this one.
  rule(`\\b${RELATIVE_WORD} (week|weekend|month|year)\\b(?! of (?!last\\b|this\\b|next\\b))`, (match, { today }) => {
    const step = stepOf((match[1] ?? "").toLowerCase());
    const unit = unitOf(match);
    if (unit === "week") return weekAway(today, step);
    if (unit === "month") return monthAway(today, step);
    if (unit === "year") return yearAway(today, step);
    // "the coming weekend" is this week's; "next weekend" is the one after it.
    return weekendAway(/coming/iu.test(match[1] ?? "") ? 0 : step, today);
  }),
  rule("\\bthe (week|weekend|month|year) before last\\b", (match, context) =>
    awayByUnit(-2, (match[1] ?? "").toLowerCase(), false, context),
  ),
  rule(
    "\\bthe (week|weekend|month|year) (before|after)\\b(?! (?:the|my|our|his|her|their|your|a|that|i|we|he|she|they)\\b)(?! \\p{Lu})",
    (match, context) =>
      awayByUnit((match[2] ?? "").toLowerCase() === "before" ? -1 : 1, (match[1] ?? "").toLowerCase(), false, context),
  ),
  rule("\\bthe (week|month|year) after next\\b", (match, context) =>
    awayByUnit(2, (match[1] ?? "").toLowerCase(), false, context),
  ),
  rule("(?<=\\b(?:over|on|at|during|for|until|by) )(?:the|this) weekend\\b(?! (?:before|after|of)\\b)", (_, context) =>
    weekendAway(context.tense() === "past" ? -1 : 0, context.today),
  ),
  rule(`\\b${RELATIVE_WORD} (${WEEKDAY})(?: ${PART})?\\b`, (match, context) => {
    const weekday = WEEKDAYS.indexOf((match[2] ?? "").toLowerCase());
    const reading = relativeWeekday(weekday, (match[1] ?? "").toLowerCase(), context);
    return match[3] === undefined ? reading : partOfDay(reading.span.from, match[3].toLowerCase());
  }),
  rule(`\\b(${WEEKDAY}) (before last|after next)\\b`, (match, context) => {
    const weekday = WEEKDAYS.indexOf((match[1] ?? "").toLowerCase());
    const isBefore = (match[2] ?? "").toLowerCase().startsWith("before");
    const near = relativeWeekday(weekday, isBefore ? "last" : "next", context).span.from;
    return dayReading(near + (isBefore ? -DAYS_PER_WEEK : DAYS_PER_WEEK));
  }),
  rule(`\\b(${WEEKDAY})( (?:last|next) week)\\b`, (match, { today }) => {
    const weekday = WEEKDAYS.indexOf((match[1] ?? "").toLowerCase());
    const step = stepOf((match[2] ?? "").toLowerCase());
    return dayReading(mondayOf(today) + step * DAYS_PER_WEEK + weekday);
  }),
  rule(
    "\\b(?:(last|next|this) |(?<=\\bon ))(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\\b(?! \\d)",
    (match, context) => {
      const weekday = WEEKDAYS.findIndex((name) => name.startsWith((match[2] ?? "").slice(0, 3).toLowerCase()));
      return match[1] === undefined ? bareWeekday(weekday, context) : relativeWeekday(weekday, match[1], context);
    },
    "gu",
  ),
  // Capitalised, or after "on": "sunday best" and the like stay alone.
  rule(
    `(?<!\\bBlack |\\bGood |\\bEaster |\\bAsh |\\bCyber |\\bPalm )(?:\\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|(?<=\\b(?:on|until|by|since|till|for|from|to) )(${WEEKDAY}))(?: ${PART})?\\b(?!,? (?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b(?!:))`,
    (match, context) => {
      const weekday = WEEKDAYS.indexOf((match[1] ?? match[2] ?? "").toLowerCase());
      const reading = bareWeekday(weekday, context);
      return match[3] === undefined ? reading : partOfDay(reading.span.from, match[3]);
    },
    "gu",
  ),
  rule(`\\b(last|next|this(?: past| coming)?) (${MONTH_FULL})\\b(?! \\d)`, (match, context) => {
    const step = stepOf((match[1] ?? "").toLowerCase());
    return asRelative(relativeMonth(monthNumber(match[2] ?? ""), step, context));
  }),
  rule("\\b(last|next|this(?: past| coming)?) (spring|summer|fall|autumn|winter)\\b", (match, context) =>
    seasonFrom(SEASONS[unitOf(match)] ?? 0, stepOf((match[1] ?? "").toLowerCase()), context),
  ),
  rule(
    `\\b(${MONTH_FULL}|the (?:spring|summer|fall|autumn|winter)) of (last|this|next) year\\b`,
    (match, { today }) => {
      const year = dateOf(today).year + stepOf(unitOf(match));
      const season = SEASONS[(match[1] ?? "").toLowerCase().replace("the ", "")];
      if (season !== undefined) return dateReading(seasonSpan(year, season), "season");
      return asRelative(fullMonth(year, monthNumber(match[1] ?? "")));
    },
  ),
];

const PART_OF = "(?:(?:the )?(beginning|start|middle|end) of |(early|mid|late)[ -])";

function thirdOf(words: string): Third {
  if (/^(?:beginning|start|early)$/u.test(words)) return "early";
  return /^mid/u.test(words) ? "mid" : "late";
}

function monthOf(name: string, year: string | undefined, context: ReadingContext): Reading | null {
  return year === undefined ? yearlessMonth(monthNumber(name), context) : fullMonth(Number(year), monthNumber(name));
}

const PARTS: readonly TimeRule[] = [
  rule(
    `\\b${PART_OF}(${MONTH_ANY})(?:,? ${YEAR})?${NOT_BEFORE}(?! \\d)`,
    (match, context) => thirdOfMonth(monthOf(match[3] ?? "", match[4], context), thirdOf(match[1] ?? match[2] ?? "")),
    "gu",
  ),
  rule(`\\b(?:the )?(beginning|start|middle|end) of (the|this|last|next) (month|year)\\b`, (match, { today }) => {
    const third = thirdOf((match[1] ?? "").toLowerCase());
    const step = stepOf((match[2] ?? "").toLowerCase());
    if ((match[3] ?? "").toLowerCase() === "month") return thirdOfMonth(monthAway(today, step), third);
    return thirdOfYear(dateOf(today).year + step, third);
  }),
  rule(
    `\\b[Tt]he (first|second|third|fourth|last) week of (${MONTH_ANY})(?:,? ${YEAR})?${NOT_BEFORE}(?! \\d)`,
    (match, context) => weekOfMonth(monthOf(match[2] ?? "", match[3], context), match[1] ?? ""),
    "gu",
  ),
];

const DATES: readonly TimeRule[] = [
  rule(
    `${NOT_AFTER}(\\d{4})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2})(?::\\d{2}(?:\\.\\d+)?)?)?(?![\\d-])`,
    (match) => {
      const reading = fullDate(Number(match[1]), Number(match[2]), Number(match[3]));
      if (reading === null || match[4] === undefined) return reading;
      return { ...reading, granularity: "time", clock: { start: Number(match[4]) * 60 + Number(match[5]), end: null } };
    },
  ),
  rule(`${NOT_AFTER}(\\d{1,2})/(\\d{1,2})/((?:19|20)\\d\\d)(?![\\d/])`, (match) => {
    const [first, second] = [Number(match[1]), Number(match[2])];
    // Month first, as English texts mostly have it, unless it cannot be one.
    return first > 12 ? fullDate(Number(match[3]), second, first) : fullDate(Number(match[3]), first, second);
  }),
  rule(
    `${NOT_AFTER}(?:(?:[Ff]rom|[Bb]etween) )?${DAY_NUMBER} ?(?:-|–|to|until|and) ?${DAY_NUMBER}(?: of)? (${MONTH})(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) => {
      const month = monthNumber(match[3] ?? "");
      return dayRange(
        dateWithin(match[4], month, Number(match[1]), context),
        dateWithin(match[4], month, Number(match[2]), context),
      );
    },
    "gu",
  ),
  rule(
    `\\b(?:(?:[Ff]rom|[Bb]etween) )?(${MONTH}) ${DAY_NUMBER} ?(?:-|–|to|until|and) ?${DAY_NUMBER}(?:,? ${YEAR})?${NOT_BEFORE}(?! (?:${MONTH}))`,
    (match, context) => {
      const month = monthNumber(match[1] ?? "");
      return dayRange(
        dateWithin(match[4], month, Number(match[2]), context),
        dateWithin(match[4], month, Number(match[3]), context),
      );
    },
    "gu",
  ),
  rule(
    `${NOT_AFTER}(?:(?:[Ff]rom|[Bb]etween) )${DAY_NUMBER}(?: of)? (${MONTH}) (?:to|until|and) ${DAY_NUMBER}(?: of)? (${MONTH})(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) =>
      dayRange(
        dateWithin(match[5], monthNumber(match[2] ?? ""), Number(match[1]), context),
        dateWithin(match[5], monthNumber(match[4] ?? ""), Number(match[3]), context),
      ),
    "gu",
  ),
  rule(
    `(?:\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (?:the )?)?${NOT_AFTER}${DAY_NUMBER}(?: of)? (${MONTH})(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) => dateWithin(match[3], monthNumber(match[2] ?? ""), Number(match[1]), context),
    "gu",
  ),
  rule(
    `(?:\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?\\b(${MONTH}|(?<=\\b(?:on|by|since|until|before|after) )(?:may|march|mar)) (?:the )?${DAY_NUMBER}(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) => dateWithin(match[3], monthNumber(match[1] ?? ""), Number(match[2]), context),
    "gu",
  ),
  rule(
    `(?<=\\b(?:on|by|until|since|before|after)) the ${ORDINAL}\\b(?! (?:of )?(?:${MONTH}|floor|time|grade|anniversary|birthday|place|century|day|street|avenue|try|attempt))`,
    (match, context) => monthlessDay(Number(match[1]), context),
  ),
  rule(
    `\\b(${MONTH}|(?:may|march)(?= ${YEAR}))(?:,| of)? ${YEAR}${NOT_BEFORE}`,
    (match) => fullMonth(Number(match[3] ?? match[2]), monthNumber(match[1] ?? "")),
    "gu",
  ),
  rule(
    `(?<=\\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Bb]efore|[Aa]fter|[Ff]rom|[Dd]uring|[Ee]arly|[Ll]ate|[Mm]id|of|[Ff]rom ${MONTH_FULL} to) )(${MONTH_FULL}|${MONTH_LOWER}|(?<=\\b[Ii]n )(?:may|march)(?=[.,!?]|$))\\b(?! \\d)`,
    (match, context) => yearlessMonth(monthNumber(match[1] ?? ""), context),
    "gu",
  ),
  rule(`\\b(?:the )?(spring|summer|fall|autumn|winter)(?: of)? ${YEAR}${NOT_BEFORE}`, (match) =>
    dateReading(seasonSpan(Number(match[2]), SEASONS[(match[1] ?? "").toLowerCase()] ?? 0), "season", {
      relative: false,
    }),
  ),
  rule(
    `(?<=\\b(?:in|since|until|till|by|before|after|from|during|early|late|mid|of|year|around|to) )${YEAR}${NOT_BEFORE}(?!s\\b)(?! (?:\\p{Ll}+s|people|dollars|euros)\\b)`,
    (match) => yearReading(Number(match[1]), false),
  ),
];

const NEVER_RESOLVED: readonly TimeRule[] = [
  rule(`\\b(?:from )?${WEEKDAY}s? ?(?:to|through|-|–) ?${WEEKDAY}s?\\b`, (_, context) =>
    unresolved("recurrence", context),
  ),
  rule(
    `\\b(?:every|each) (?:single |other |second |two |three |four |few |couple of )?(?:day|morning|afternoon|evening|night|week|weekend|month|year|hour|spring|summer|fall|autumn|winter|${WEEKDAY}|${MONTH_FULL})s?(?: ${PART})?\\b`,
    (_, context) => unresolved("recurrence", context),
  ),
  rule(
    `\\b(?:on )?(?:${WEEKDAY}s|weekends)\\b|\\b(?:daily|weekly|fortnightly|monthly|yearly|annually)\\b`,
    (_, context) => unresolved("recurrence", context),
  ),
  rule("\\b(?:once|twice|\\d+ times|three times|several times) (?:a|per) (?:day|week|month|year)\\b", (_, context) =>
    unresolved("recurrence", context),
  ),
  rule(
    `\\b(?:(?:for|over|during|within) )?(?:(?:the|these) )?(?:(?:past|last|next|first) )?${COUNT} (?:full |whole |more |long )?(?:second|minute|hour|day|night|week|weekend|fortnight|month|year|decade)s?\\b(?! (?:ago|back|old|from now|from today|from tomorrow|later|before|after)\\b)(?!-old)`,
    (_, context) => unresolved("duration", context),
  ),
];

const DAY_HINT = /day|tomorrow|tonite|night|morning|afternoon|evening|\b(?:mon|tue|wed|thu|fri|sat|sun)/iu;
const MONTH_HINT = /\b(?:spring|summer|fall|autumn|winter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/iu;
const PERIOD_HINT = /week|month|year|decade|night|hour|minute|daily|annually/iu;
const hintOf = (...hints: readonly RegExp[]): RegExp => new RegExp(hints.map(({ source }) => source).join("|"), "iu");

/** What all the groups need. */
export const ENGLISH_TIME_HINT = hintOf(/\d/u, DAY_HINT, MONTH_HINT, PERIOD_HINT);

/** What English says about time. Where two rules meet, the longer match wins. */
export const ENGLISH_TIME_RULES: readonly TimeRuleGroup[] = [
  { hint: DAY_HINT, rules: NEAR_DAYS },
  { hint: hintOf(PERIOD_HINT, /days?\b/u), rules: COUNTED },
  { hint: hintOf(DAY_HINT, MONTH_HINT, PERIOD_HINT), rules: PERIODS },
  { hint: hintOf(MONTH_HINT, PERIOD_HINT), rules: PARTS },
  { hint: hintOf(/\d/u, MONTH_HINT), rules: DATES },
  { hint: ENGLISH_TIME_HINT, rules: NEVER_RESOLVED },
];
