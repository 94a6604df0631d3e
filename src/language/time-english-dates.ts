import { seasonSpan } from "./calendar.js";
import {
  DAY_NUMBER,
  MONTH,
  MONTH_FULL,
  MONTH_LOWER,
  monthNumber,
  NOT_AFTER,
  NOT_BEFORE,
  ORDINAL,
  SEASONS,
  YEAR,
} from "./time-english-words.js";
import {
  dateReading,
  fullDate,
  fullMonth,
  monthlessDay,
  type Reading,
  type ReadingContext,
  type TimeRule,
  timeRule,
  yearlessDate,
  yearlessMonth,
  yearReading,
} from "./time-reading.js";

/** Dates of the calendar, with or without their year: "7 May 2023", "from 3 to 5 May", "in June". */
export const DATES: readonly TimeRule[] = [
  timeRule(
    `${NOT_AFTER}(\\d{4})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2})(?::\\d{2}(?:\\.\\d+)?)?)?(?![\\d-])`,
    (match) => {
      const reading = fullDate(Number(match[1]), Number(match[2]), Number(match[3]));
      if (reading === null || match[4] === undefined) return reading;
      return { ...reading, granularity: "time", clock: { start: Number(match[4]) * 60 + Number(match[5]), end: null } };
    },
  ),
  timeRule(`${NOT_AFTER}(\\d{1,2})/(\\d{1,2})/((?:19|20)\\d\\d)(?![\\d/])`, (match) => {
    const [first, second] = [Number(match[1]), Number(match[2])];
    // Month first, as English texts mostly have it, unless it cannot be one.
    return first > 12 ? fullDate(Number(match[3]), second, first) : fullDate(Number(match[3]), first, second);
  }),
  timeRule(
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
  timeRule(
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
  timeRule(
    `${NOT_AFTER}(?:(?:[Ff]rom|[Bb]etween) )${DAY_NUMBER}(?: of)? (${MONTH}) (?:to|until|and) ${DAY_NUMBER}(?: of)? (${MONTH})(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) =>
      dayRange(
        dateWithin(match[5], monthNumber(match[2] ?? ""), Number(match[1]), context),
        dateWithin(match[5], monthNumber(match[4] ?? ""), Number(match[3]), context),
      ),
    "gu",
  ),
  timeRule(
    `(?:\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (?:the )?)?${NOT_AFTER}${DAY_NUMBER}(?: of)? (${MONTH})(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) => dateWithin(match[3], monthNumber(match[2] ?? ""), Number(match[1]), context),
    "gu",
  ),
  timeRule(
    `(?:\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?\\b(${MONTH}|(?<=\\b(?:on|by|since|until|before|after) )(?:may|march|mar)) (?:the )?${DAY_NUMBER}(?:,? ${YEAR})?${NOT_BEFORE}`,
    (match, context) => dateWithin(match[3], monthNumber(match[1] ?? ""), Number(match[2]), context),
    "gu",
  ),
  timeRule(
    `(?<=\\b(?:on|by|until|since|before|after)) the ${ORDINAL}\\b(?! (?:of )?(?:${MONTH}|floor|time|grade|anniversary|birthday|place|century|day|street|avenue|try|attempt))`,
    (match, context) => monthlessDay(Number(match[1]), context),
  ),
  timeRule(
    `\\b(${MONTH}|(?:may|march)(?= ${YEAR}))(?:,| of)? ${YEAR}${NOT_BEFORE}`,
    (match) => fullMonth(Number(match[3] ?? match[2]), monthNumber(match[1] ?? "")),
    "gu",
  ),
  timeRule(
    `(?<=\\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Bb]efore|[Aa]fter|[Ff]rom|[Dd]uring|[Ee]arly|[Ll]ate|[Mm]id|of|[Ff]rom ${MONTH_FULL} to) )(${MONTH_FULL}|${MONTH_LOWER}|(?<=\\b[Ii]n )(?:may|march)(?=[.,!?]|$))\\b(?! \\d)`,
    (match, context) => yearlessMonth(monthNumber(match[1] ?? ""), context),
    "gu",
  ),
  timeRule(`\\b(?:the )?(spring|summer|fall|autumn|winter)(?: of)? ${YEAR}${NOT_BEFORE}`, (match) =>
    dateReading(seasonSpan(Number(match[2]), SEASONS[(match[1] ?? "").toLowerCase()] ?? 0), "season", {
      relative: false,
    }),
  ),
  timeRule(
    `(?<=\\b(?:in|since|until|till|by|before|after|from|during|early|late|mid|of|year|around|to) )${YEAR}${NOT_BEFORE}(?!s\\b)(?! (?:\\p{Ll}+s|people|dollars|euros)\\b)`,
    (match) => yearReading(Number(match[1]), false),
  ),
];

function dayRange(first: Reading | null, last: Reading | null): Reading | null {
  if (first === null || last === null || last.span.from < first.span.from) return null;
  return { ...first, span: { from: first.span.from, to: last.span.to } };
}

/** A date whose year may be missing or cut off. */
function dateWithin(year: string | undefined, month: number, day: number, context: ReadingContext): Reading | null {
  return year === undefined ? yearlessDate(month, day, context) : fullDate(Number(year), month, day);
}
