import { DAY_PARTS } from "./time-written.js";

const HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const HOUR = HOURS.join("|");
const MINUTES_PER_HOUR = 60;
const NOON = 720;
/** Minutes that "half past", "ten to" and their like add to the hour. */
const LEADS: Readonly<Record<string, number>> = Object.freeze({ half: 30, quarter: 15, five: 5, ten: 10, twenty: 20 });
const HALF = "am|pm|a\\.m\\.|p\\.m\\.";
const CLOCK = [
  "(?<noon>noon|midday)",
  `(?:(?:a )?(?<lead>half|quarter|five|ten|twenty) (?<side>past|to) (?<of>${HOUR}|\\d{1,2}))`,
  `(?:(?<word>${HOUR})(?<full> o['’]clock)?)`,
  `(?:(?<hour>\\d{1,2})(?:(?<mark>[:.])(?<minute>\\d{2}))?(?: ?(?:(?<half>${HALF})(?!\\w)|o['’]clock))?)`,
].join("|");
const END = "(?![\\w:%]|\\.\\d)";
const AFTER = new RegExp(`^,? (?<tied>(?:at|around|by) )?(?:${CLOCK})${END}`, "iu");
const BEFORE = new RegExp(`(?<![\\w.:$€£-])(?<tied>(?:at|around|by) )?(?:${CLOCK}),? (?:on )?$`, "iu");
/** How much text beside a day may hold its clock time. */
const REACH = 40;

/** A clock time beside a day: minutes after the midnight of that day, and where its words begin or end. */
export interface ClockBeside {
  readonly minute: number;
  readonly at: number;
}

/** The part of the day that the day was named with: it tells morning from evening. */
type Part = { readonly start: number } | null;

/** Small hours of a "night" or "evening" belong to the next day. */
function inPart(hour: number, minute: number, half: string | undefined, part: Part): number {
  const start = part?.start ?? 0;
  const isLate = start >= DAY_PARTS.evening.start;
  const isMorning = half === "a" || (half === undefined && start < NOON);
  if (isLate && half !== "p" && (hour === 12 || hour < 5)) return (24 + (hour % 12)) * MINUTES_PER_HOUR + minute;
  if (isMorning) return (half === "a" ? hour % 12 : hour) * MINUTES_PER_HOUR + minute;
  return (hour < 12 ? hour + 12 : hour) * MINUTES_PER_HOUR + minute;
}

function hourOf(words: string): number {
  return /^\d/u.test(words) ? Number(words) : HOURS.indexOf(words.toLowerCase()) + 1;
}

function minuteOf(match: RegExpExecArray, part: Part): number | null {
  const { noon, lead, side, of, word, hour, minute = "0", half } = match.groups ?? {};
  if (noon !== undefined) return NOON;
  if (lead !== undefined && of !== undefined) {
    const offset = LEADS[lead.toLowerCase()] ?? 0;
    return inPart(hourOf(of), 0, undefined, part) + (side?.toLowerCase() === "to" ? -offset : offset);
  }
  const hours = hourOf(word ?? hour ?? "");
  if (hours > 23 || Number(minute) > 59 || (half !== undefined && hours > 12)) return null;
  return inPart(hours, Number(minute), half?.[0]?.toLowerCase(), part);
}

/** Words that only a clock says need no "at"; a bare number, and one with a full stop ("ran 8.45"), does. */
function isClock({ groups }: RegExpExecArray, isBefore: boolean): boolean {
  if (groups === undefined) return false;
  if (groups.tied !== undefined || groups.half !== undefined || groups.noon !== undefined) return true;
  if (groups.lead !== undefined || groups.full !== undefined) return true;
  return isBefore && groups.mark === ":";
}

/** "tomorrow at half past six", "Friday noon": the clock time right after `at`. */
export function clockAfter(text: string, at: number, part: Part): ClockBeside | null {
  const match = AFTER.exec(text.slice(at, at + REACH));
  if (match === null || !isClock(match, false)) return null;
  const minute = minuteOf(match, part);
  return minute === null ? null : { minute, at: at + match[0].length };
}

/** "at 8:30 on Friday", "7 pm tonight": the clock time right before `at`. */
export function clockBefore(text: string, at: number, part: Part): ClockBeside | null {
  const match = BEFORE.exec(text.slice(Math.max(0, at - REACH), at));
  if (match === null || !isClock(match, true)) return null;
  const minute = minuteOf(match, part);
  // "at" and its like stay: the written form fits behind them.
  return minute === null ? null : { minute, at: at - match[0].length + (match.groups?.tied?.length ?? 0) };
}
