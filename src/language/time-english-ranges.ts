import { DAY_NUMBER, MONTH, monthNumber, NOT_AFTER, NOT_BEFORE, YEAR } from "./time-english-words.js";
import {
  dateBeside,
  fullDate,
  type Reading,
  type ReadingContext,
  type TimeRule,
  timeRule,
  yearlessDate,
} from "./time-reading.js";

const FROM = "(?:(?:[Ff]rom|[Bb]etween) )";
const TO = "(?:-|–|to|till|until|through|and)";
const END = `(?:,? ${YEAR})?${NOT_BEFORE}`;

/** Days from one to another: "from 3 to 5 May 2023", "June 28 to July 2". */
export const RANGES: readonly TimeRule[] = [
  timeRule(
    `${NOT_AFTER}${FROM}?${DAY_NUMBER} ?${TO} ?${DAY_NUMBER}(?: of)? (${MONTH})${END}`,
    ([, first, last, month, year], context) => rangeOf([first, month], [last, month], year, context),
    "gu",
  ),
  timeRule(
    `\\b${FROM}?(${MONTH}) ${DAY_NUMBER} ?${TO} ?${DAY_NUMBER}${END}(?! (?:${MONTH}))`,
    ([, month, first, last, year], context) => rangeOf([first, month], [last, month], year, context),
    "gu",
  ),
  timeRule(
    `${NOT_AFTER}${FROM}?${DAY_NUMBER}(?: of)? (${MONTH}) ${TO} ${DAY_NUMBER}(?: of)? (${MONTH})${END}`,
    ([, first, month, last, lastMonth, year], context) => rangeOf([first, month], [last, lastMonth], year, context),
    "gu",
  ),
  timeRule(
    `\\b${FROM}?(${MONTH}) ${DAY_NUMBER} ${TO} (${MONTH}) ${DAY_NUMBER}${END}`,
    ([, month, first, lastMonth, last, year], context) => rangeOf([first, month], [last, lastMonth], year, context),
    "gu",
  ),
];

type Named = readonly [day: string | undefined, month: string | undefined];

/** The days from the first to the last, which lies in the same year or early in the next; null when they are none. */
function rangeOf(first: Named, last: Named, year: string | undefined, context: ReadingContext): Reading | null {
  const [firstDay, firstMonth] = numbersOf(first);
  const [lastDay, lastMonth] = numbersOf(last);
  if (firstMonth === lastMonth && lastDay < firstDay) return null;
  const start =
    year === undefined
      ? yearlessDate(firstMonth, firstDay, context)
      : fullDate(Number(year) - (lastMonth < firstMonth ? 1 : 0), firstMonth, firstDay);
  const end = start && dateBeside(start.span.from, lastMonth, lastDay);
  return start && end && { ...start, span: { from: start.span.from, to: end.span.to } };
}

function numbersOf([day, month]: Named): readonly [day: number, month: number] {
  return [Number(day), monthNumber(month ?? "")];
}
