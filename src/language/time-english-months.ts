import { monthNumber } from "./time-english-words.js";
import { fullMonth, type Reading, type ReadingContext, yearlessMonth } from "./time-reading.js";

/** The month that a name means, of the year that is named or of the one that the context points at. */
export function namedMonth(name: string, year: string | undefined, context: ReadingContext): Reading | null {
  const month = monthNumber(name);
  return year === undefined ? yearlessMonth(month, context) : fullMonth(Number(year), month);
}
