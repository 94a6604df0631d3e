import { type Day, daySpan, MINUTES_PER_DAY } from "./calendar.js";
import { PART } from "./time-english-words.js";
import { dateReading, dayReading, momentReading, type Reading, type TimeRule, timeRule } from "./time-reading.js";
import { DAY_PARTS, englishDay } from "./time-written.js";

/** Days that are named from today: "yesterday", "tonight". */
export const NEAR_DAYS: readonly TimeRule[] = [
  timeRule(`\\bthe day before yesterday\\b`, (_, { today }) => dayReading(today - 2)),
  timeRule(`\\bthe day after tomorrow\\b`, (_, { today }) => dayReading(today + 2)),
  timeRule(`\\b(yesterday|today|tomorrow)(?: ${PART})?\\b`, (match, { today }) => {
    const word = (match[1] ?? "").toLowerCase();
    const day = today + (word === "yesterday" ? -1 : word === "tomorrow" ? 1 : 0);
    return match[2] === undefined ? dayReading(day) : partOfDay(day, match[2].toLowerCase());
  }),
  timeRule(`\\bthe (night|evening|afternoon|morning) before last\\b`, (match, { today }) =>
    partOfDay(today - 2, (match[1] ?? "").toLowerCase()),
  ),
  timeRule("\\b(?:at |around )?this time (yesterday|tomorrow)\\b", (match, context) =>
    momentReading(context, (match[1] ?? "").toLowerCase() === "tomorrow" ? MINUTES_PER_DAY : -MINUTES_PER_DAY),
  ),
  timeRule("\\b(?:tonight|tonite)\\b", (_, { today }) => partOfDay(today, "evening")),
  timeRule(`\\blast (night|evening)\\b`, (match, { today }) => partOfDay(today - 1, (match[1] ?? "").toLowerCase())),
  timeRule(`\\bthis (morning|afternoon|evening)\\b`, (match, { today }) =>
    partOfDay(today, (match[1] ?? "").toLowerCase()),
  ),
  timeRule("\\bthe other (?:day|night)\\b", (_, { today }) =>
    dateReading({ from: today - 7, to: today }, "day", { written: `shortly before ${englishDay(today)}` }),
  ),
];

export function partOfDay(day: Day, part: string): Reading {
  const { start, end } = DAY_PARTS[part as keyof typeof DAY_PARTS] ?? DAY_PARTS.evening;
  return dateReading(daySpan(day), "time", { clock: { start, end } });
}
