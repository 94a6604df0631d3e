import type { Plan } from "../records/index.js";

const DAY_MS = 86_400_000;
/** How fast nearness in time fades outside the range asked for, in days. */
const FADE_DAYS = 4;
/** A longer range is a year or more, and comes round only once. */
const LONGEST_OF_A_YEAR = 95;
/** A year, or words that count from today: then the range is meant as it is. */
const SAYS_WHICH_YEAR = /\d{4}|\b(?:last|next|this|ago|yesterday|today|tomorrow|coming|past)\b|[前上下今明昨去后]/iu;

/** Days between a time and a range; 0 inside it. */
function daysOutside(time: number, after: number, before: number): number {
  return Math.max(0, after - time, time - before) / DAY_MS;
}

/** The same day and time in another year. */
function inYear(time: number, year: number): number {
  return new Date(time).setUTCFullYear(year);
}

const NOWHERE = (): number => 0;

/**
 * How near times are to the one that the question names: 1 inside it, less with every day outside. "In August" means any August:
 * of which year, only what was said can tell.
 */
export function nearnessTo({ question, timeRange }: Plan): (timestamp: string | null) => number {
  if (timeRange === null) return NOWHERE;
  const after = timeRange.after === null ? Number.NEGATIVE_INFINITY : Date.parse(timeRange.after);
  const before = timeRange.before === null ? Number.POSITIVE_INFINITY : Date.parse(timeRange.before);
  const comesRound = (before - after) / DAY_MS <= LONGEST_OF_A_YEAR && !SAYS_WHICH_YEAR.test(question);
  const year = new Date(after).getUTCFullYear();
  return (timestamp) => {
    if (timestamp === null) return 0;
    const time = Date.parse(timestamp);
    const times = comesRound ? [year - 1, year, year + 1].map((one) => inYear(time, one)) : [time];
    return Math.exp(-Math.min(...times.map((one) => daysOutside(one, after, before))) / FADE_DAYS);
  };
}
