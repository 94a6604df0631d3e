import { dateOf, monthFrom, seasonSpan } from "./calendar.js";
import {
  DAY_NUMBER,
  MONTH,
  MONTH_FULL,
  MONTH_LOWER,
  monthNumber,
  NOT_AFTER,
  NOT_BEFORE,
  ORDINAL,
  ORDINAL_WORD,
  ordinalNumber,
  SEASON,
  SEASONS,
  stepOf,
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

const YEAR_END = `(?:,? ${YEAR}|(?: of|,)? (last|this|next) year\\b)?${NOT_BEFORE}`;
const DATE_LEAD = /\b(?:on|by|since|until|till|before|after|from|to|of|for|is|was|the|around|about|and|or)\s+$/iu;
const PLURAL_AFTER = /^ (?!as\b|is\b|was\b|has\b|this\b|plus\b|does\b)\p{Ll}{2,}s\b/u;

/** Dates of the calendar, with or without their year: "7 May 2023", "the first of June", "in June". */
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
  timeRule(`${NOT_AFTER}(\\d{1,2})\\.(\\d{1,2})\\.((?:19|20)\\d\\d)(?![\\d.])`, (match) =>
    fullDate(Number(match[3]), Number(match[2]), Number(match[1])),
  ),
  timeRule(
    `(?:\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:\\b[Tt]he (?=\\d+(?:st|nd|rd|th)))?${NOT_AFTER}${DAY_NUMBER}(?: of)? (${MONTH})${YEAR_END}`,
    (match, context) =>
      countsThings(match)
        ? null
        : dateWithin([match[3], match[4]], monthNumber(match[2] ?? ""), Number(match[1]), context),
    "gu",
  ),
  timeRule(
    `(?:\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?\\b(${MONTH}|(?<=\\b(?:on|by|since|until|before|after) )(?:may|march|mar)) (?:the )?${DAY_NUMBER}${YEAR_END}`,
    (match, context) => dateWithin([match[3], match[4]], monthNumber(match[1] ?? ""), Number(match[2]), context),
    "gu",
  ),
  timeRule(
    `\\b(?:[Tt]he )?${ORDINAL_WORD} of (${MONTH_FULL})${YEAR_END}`,
    (match, context) =>
      dateWithin([match[3], match[4]], monthNumber(match[2] ?? ""), ordinalNumber(match[1] ?? ""), context),
    "gu",
  ),
  timeRule(
    `\\b(${MONTH_FULL}) (?:the )?${ORDINAL_WORD}${YEAR_END}(?! (?:thing|time|half|week|day|of))`,
    (match, context) =>
      dateWithin([match[3], match[4]], monthNumber(match[1] ?? ""), ordinalNumber(match[2] ?? ""), context),
    "gu",
  ),
  timeRule(`\\b(?:the )?${ORDINAL} of (last|this|next) month\\b`, (match, { today }) => {
    const { year, month } = dateOf(monthFrom(today, stepOf(match[2])));
    const reading = fullDate(year, month, Number(match[1]));
    return reading && { ...reading, relative: true };
  }),
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
  timeRule(`\\b(?:the )?${SEASON}(?: of)? ${YEAR}${NOT_BEFORE}`, (match) =>
    dateReading(seasonSpan(Number(match[2]), SEASONS[(match[1] ?? "").toLowerCase()] ?? 0), "season", {
      relative: false,
    }),
  ),
  timeRule(
    `(?<=\\b(?:in|since|until|till|by|before|after|from|during|early|late|mid|of|year|around|to) )${YEAR}${NOT_BEFORE}(?!s\\b)(?! (?:\\p{Ll}+s|people|dollars|euros)\\b)`,
    (match) => yearReading(Number(match[1]), false),
  ),
];

/** "2 June bugs": without a preposition before it, the number counts what follows. */
function countsThings({ 0: said, index = 0, input = "" }: RegExpMatchArray): boolean {
  if (!/^\d{1,2} \p{L}+$/u.test(said) || DATE_LEAD.test(input.slice(0, index))) return false;
  return PLURAL_AFTER.test(input.slice(index + said.length));
}

/** A date whose year may be missing, written, or named from now. */
function dateWithin(
  [year, step]: readonly [year: string | undefined, step: string | undefined],
  month: number,
  day: number,
  context: ReadingContext,
): Reading | null {
  if (year !== undefined) return fullDate(Number(year), month, day);
  if (step === undefined) return yearlessDate(month, day, context);
  const reading = fullDate(dateOf(context.today).year + stepOf(step), month, day);
  return reading && { ...reading, relative: true };
}
