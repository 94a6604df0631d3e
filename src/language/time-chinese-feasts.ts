import { type Day, dateOf, dayOf, daySpan } from "./calendar.js";
import { chineseRule, YEAR_WORD, YEAR_WORDS } from "./time-chinese-words.js";
import { dateReading, pickSpan, type Reading, type ReadingContext, type TimeRule } from "./time-reading.js";

/** Feasts that have the same date every year. Those of the lunar calendar (春节, 中秋) are left as they are said. */
const FEAST_DATES: Readonly<Record<string, readonly [month: number, day: number]>> = Object.freeze({
  元旦: [1, 1],
  情人节: [2, 14],
  妇女节: [3, 8],
  劳动节: [5, 1],
  儿童节: [6, 1],
  国庆节: [10, 1],
  万圣节: [10, 31],
  平安夜: [12, 24],
  圣诞节: [12, 25],
});
const FEAST = `(${Object.keys(FEAST_DATES).join("|")})`;
const HABIT = /每|总是|经常|常常|都会/u;

/** Feasts that have a date: "去年国庆节", "圣诞节我去了巴黎". */
export const FEASTS_ZH: readonly TimeRule[] = [
  chineseRule(`(?:${YEAR_WORD}|((?:19|20)\\d\\d)年)的?${FEAST}`, (match, { today }) => {
    const isNamed = match[2] !== undefined;
    const year = isNamed ? Number(match[2]) : dateOf(today).year + (YEAR_WORDS[match[1] ?? ""] ?? 0);
    return feastIn(match[3] ?? "", year, !isNamed);
  }),
  chineseRule(`(?<![年每])${FEAST}(?![礼晚活])`, (match, context) => feastByTense(match[1] ?? "", context)),
];

export const FEAST_HINT_ZH = /节|元旦|平安夜/u;

function dayOfFeast(name: string, year: number): Day | null {
  const date = FEAST_DATES[name];
  return date === undefined ? null : dayOf(year, ...date);
}

function feastIn(name: string, year: number, relative: boolean): Reading | null {
  const day = dayOfFeast(name, year);
  return day === null ? null : dateReading(daySpan(day), "day", { relative, written: `${year}年${name}` });
}

/** Without a clear tense it may be any year's. */
function feastByTense(name: string, context: ReadingContext): Reading | null {
  if (context.tense() === "unclear" || HABIT.test(context.clause())) return null;
  const { year } = dateOf(context.today);
  const years = [year - 1, year, year + 1];
  const days = years.map((one) => dayOfFeast(name, one)).filter((day) => day !== null);
  const span = pickSpan(days.map(daySpan), context);
  return span && feastIn(name, dateOf(span.from).year, true);
}
