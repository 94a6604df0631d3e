import { type Day, dateOf, dayOf, daySpan } from "./calendar.js";
import { easterOf } from "./calendar-easter.js";
import { stepOf, YEAR } from "./time-english-words.js";
import { dateReading, pickSpan, type Reading, type ReadingContext, type TimeRule, timeRule } from "./time-reading.js";

interface Feast {
  readonly name: string;
  readonly day: (year: number) => Day;
}

const FEAST_DAYS: readonly Feast[] = [
  { name: "Christmas Eve", day: (year) => dayOf(year, 12, 24) },
  { name: "Christmas Day", day: (year) => dayOf(year, 12, 25) },
  { name: "Christmas", day: (year) => dayOf(year, 12, 25) },
  { name: "Boxing Day", day: (year) => dayOf(year, 12, 26) },
  { name: "New Year's Eve", day: (year) => dayOf(year, 12, 31) },
  { name: "New Year's Day", day: (year) => dayOf(year, 1, 1) },
  { name: "Valentine's Day", day: (year) => dayOf(year, 2, 14) },
  { name: "Halloween", day: (year) => dayOf(year, 10, 31) },
  { name: "Good Friday", day: (year) => easterOf(year) - 2 },
  { name: "Easter Sunday", day: easterOf },
  { name: "Easter Monday", day: (year) => easterOf(year) + 1 },
  { name: "Easter", day: easterOf },
];
const FEAST = `(${FEAST_DAYS.map(({ name }) => name.replace("'", "['’]")).join("|")})`;
/** What comes round every year is no one date. */
const HABIT = /\b(?:always|usually|often|every|each|never|ever|used to|would|traditionally)\b/iu;
/** The feast itself, not "Christmas dinner". */
const ALONE =
  "(?=\\s*(?:[.,;:!?)]|$)| (?:I|we|you|he|she|they|it|and|or|but|with|in|at|because|when|last|this|next|since|so|my|our|the)\\b)";

/** Feasts that have a date: "at Christmas", "last Easter", "on New Year's Eve 2021". */
export const FEASTS: readonly TimeRule[] = [
  timeRule(`\\b${FEAST},? (?:of |in )?(?:${YEAR}|(last|this|next) year)\\b`, (match, { today }) => {
    const feast = feastNamed(match[1]);
    if (feast === null) return null;
    const isNamed = match[2] !== undefined;
    return feastIn(feast, isNamed ? Number(match[2]) : dateOf(today).year + stepOf(match[3]), !isNamed);
  }),
  timeRule(`(?<!\\bthe )\\b(last|this|next) ${FEAST}\\b`, (match, { today }) => {
    const feast = feastNamed(match[2]);
    return feast && nearFeast(feast, stepOf(match[1]), today);
  }),
  timeRule(
    `(?<=\\b(?:at|on|for|over|by|until|till|before|after|since|during|around) )${FEAST}\\b${ALONE}`,
    (match, context) => {
      const feast = feastNamed(match[1]);
      return feast && feastByTense(feast, context);
    },
  ),
];

export const FEAST_HINT = /christmas|boxing|new year|valentine|halloween|easter|good friday/iu;

function feastNamed(name = ""): Feast | null {
  const key = name.toLowerCase().replace("’", "'");
  return FEAST_DAYS.find((feast) => feast.name.toLowerCase() === key) ?? null;
}

function feastIn({ name, day }: Feast, year: number, relative: boolean): Reading {
  return dateReading(daySpan(day(year)), "day", { relative, written: `${name} ${year}` });
}

function nearFeast(feast: Feast, step: -1 | 0 | 1, today: Day): Reading {
  const { year } = dateOf(today);
  const here = feast.day(year);
  if (step < 0) return feastIn(feast, here < today ? year : year - 1, true);
  return feastIn(feast, step === 0 || here > today ? year : year + 1, true);
}

/** Without a clear tense it may be any year's. */
function feastByTense(feast: Feast, context: ReadingContext): Reading | null {
  if (context.tense() === "unclear" || HABIT.test(context.clause())) return null;
  const { year } = dateOf(context.today);
  const years = [year - 1, year, year + 1];
  const span = pickSpan(
    years.map((one) => daySpan(feast.day(one))),
    context,
  );
  const picked = years.find((one) => feast.day(one) === span?.from);
  return picked === undefined ? null : feastIn(feast, picked, true);
}
