import { type Day, daySpan, MINUTES_PER_DAY } from "./calendar.js";
import { chineseNumber } from "./numbers.js";
import { dateReading, type Reading } from "./time-reading.js";
import { chineseDay, DAY_PARTS } from "./time-written.js";

/** Minutes after midnight of the parts of a day that English has no word for. */
const SMALL_HOURS = Object.freeze({ start: 0, end: 360 });
const NOON = Object.freeze({ start: 660, end: 780 });

function clockOf(part: string): { readonly start: number; readonly end: number } {
  if (part === "凌晨") return SMALL_HOURS;
  if (part === "中午") return NOON;
  if (/上午|早/u.test(part)) return DAY_PARTS.morning;
  if (part === "下午") return DAY_PARTS.afternoon;
  return /夜/u.test(part) ? DAY_PARTS.night : DAY_PARTS.evening;
}

function partReading(day: Day, part: string): Reading {
  const { start, end } = clockOf(part);
  return dateReading(daySpan(day), "time", { clock: { start, end }, written: chineseDay(day) + part });
}

function minuteOf(text: string | undefined): number | null {
  if (text === undefined) return 0;
  if (text === "半") return 30;
  if (text === "一刻") return 15;
  if (text === "三刻") return 45;
  return chineseNumber(text.replace("分", ""));
}

/** Hours after the midnight of the day: in the afternoon they count on from noon, late at night into the next day. */
function hourIn(hour: number, part = ""): number {
  const isNight = /晚|夜/u.test(part);
  if (isNight && (hour < 5 || hour === 12)) return 24 + (hour % 12);
  if (hour < 12 && (isNight || /下午|傍/u.test(part) || (part === "中午" && hour < 5))) return hour + 12;
  return hour;
}

/** Adds a part of the day and a clock time, if the words have them, to a day. */
export function within(reading: Reading | null, part?: string, hourText?: string, minuteText?: string): Reading | null {
  if (reading === null) return null;
  const hour = hourText === undefined ? null : chineseNumber(hourText);
  const minute = minuteOf(minuteText);
  if (hour === null || hour > 24 || minute === null || minute > 59) {
    return part === undefined ? reading : { ...partReading(reading.span.from, part), relative: reading.relative };
  }
  const total = hourIn(hour, part) * 60 + minute;
  const span = daySpan(reading.span.from + Math.floor(total / MINUTES_PER_DAY));
  return { ...reading, span, granularity: "time", clock: { start: total % MINUTES_PER_DAY, end: null } };
}
