/** A day of the Gregorian calendar, counted from 1 January 1970 (day 0). Days have no time zone. */
export type Day = number;

export interface CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** A span of days; `to` is exclusive. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** A moment and the place where it was said. */
export interface TimeReference {
  /** ISO 8601, in UTC or with an offset. */
  readonly instant: string;
  /** Minutes east of UTC of the place where it was said. */
  readonly offsetMinutes: number;
  /** IANA name of that place. Used for days on which its offset differs (summer time). */
  readonly timeZone?: string;
  /** The same zone with its formatter, for a caller that reads many texts: making one costs more than reading. */
  readonly zone?: ZoneOffsets;
}

/** The offsets of one IANA zone through the year. */
export class ZoneOffsets {
  readonly #format: Intl.DateTimeFormat | null;
  readonly #isUtc: boolean;

  /** @param timeZone an unknown name is taken for a zone without known offsets */
  constructor(readonly timeZone: string) {
    this.#isUtc = timeZone === "UTC";
    this.#format = this.#isUtc ? null : formatterOf(timeZone);
  }

  /** Minutes east of UTC at an instant in ms; null when the zone is not known. */
  at(instant: number): number | null {
    if (this.#isUtc) return 0;
    const match = /GMT(?:([+-])(\d{2}):(\d{2}))?/u.exec(this.#format?.format(instant) ?? "");
    if (match === null) return null;
    const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
    return match[1] === "-" ? -minutes : minutes;
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The reference with its zone looked up. */
export function withZone(reference: TimeReference): TimeReference {
  const { timeZone, zone } = reference;
  return timeZone === undefined || zone !== undefined ? reference : { ...reference, zone: new ZoneOffsets(timeZone) };
}

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const MONTHS_PER_YEAR = 12;
export const DAYS_PER_WEEK = 7;
export const MINUTES_PER_DAY = 1440;
/** Weekdays counted from Monday. */
export const SATURDAY = 5;
/** 1 January 1970 was a Thursday. */
const WEEKDAY_OF_DAY_ZERO = 3;

/** The day of a date. A day number past the end of the month runs on into the next, as in `Date.UTC`. */
export function dayOf(year: number, month: number, day: number): Day {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / MS_PER_DAY);
}

export function dateOf(day: Day): CalendarDate {
  const date = new Date(day * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** True when the month has that day in that year. */
export function isRealDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > MONTHS_PER_YEAR || day < 1) return false;
  return day <= daysInMonth(year, month);
}

export function daysInMonth(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1);
}

/** 0 (Monday) to 6 (Sunday). */
export function weekdayOf(day: Day): number {
  return (((day + WEEKDAY_OF_DAY_ZERO) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** The Monday of the day's week. */
export function mondayOf(day: Day): Day {
  return day - weekdayOf(day);
}

/** The month that lies `months` away, as its first day. */
export function monthFrom(day: Day, months: number): Day {
  const { year, month } = dateOf(day);
  return dayOf(year, month + months, 1);
}

/** The same day of the month `months` away, or that month's last day when it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const first = monthFrom(day, months);
  const { year, month } = dateOf(first);
  return first + Math.min(dateOf(day).day, daysInMonth(year, month)) - 1;
}

export function daySpan(day: Day): DaySpan {
  return { from: day, to: day + 1 };
}

export function weekSpan(day: Day): DaySpan {
  const monday = mondayOf(day);
  return { from: monday, to: monday + DAYS_PER_WEEK };
}

/** Saturday and Sunday of the day's week. */
export function weekendSpan(day: Day): DaySpan {
  const saturday = mondayOf(day) + SATURDAY;
  return { from: saturday, to: saturday + 2 };
}

export function monthSpan(year: number, month: number): DaySpan {
  return { from: dayOf(year, month, 1), to: dayOf(year, month + 1, 1) };
}

export function yearSpan(year: number): DaySpan {
  return { from: dayOf(year, 1, 1), to: dayOf(year + 1, 1, 1) };
}

/** Three months of a season of the northern hemisphere: 0 spring (from March) to 3 winter (from December). */
export function seasonSpan(year: number, season: number): DaySpan {
  const month = 3 + season * 3;
  return { from: dayOf(year, month, 1), to: dayOf(year, month + 3, 1) };
}

/** The speaker's day and the minutes since its midnight. */
export function localNow(reference: TimeReference): { day: Day; minute: number } {
  const local = Date.parse(reference.instant) + reference.offsetMinutes * MS_PER_MINUTE;
  const day = Math.floor(local / MS_PER_DAY);
  return { day, minute: Math.floor((local - day * MS_PER_DAY) / MS_PER_MINUTE) };
}

/** The offset that holds in the speaker's place around a local time; the reference's own when nothing better is known. */
function offsetAt(localMs: number, reference: TimeReference): number {
  const { offsetMinutes, instant } = reference;
  const { zone } = withZone(reference);
  if (zone === undefined) return offsetMinutes;
  // A zone that contradicts the given offset is not where it was said.
  if (zone.at(Date.parse(instant)) !== offsetMinutes) return offsetMinutes;
  return zone.at(localMs - offsetMinutes * MS_PER_MINUTE) ?? offsetMinutes;
}

/** ISO 8601 in UTC of a minute of a local day; minutes past 1440 run on into the next day. */
export function instantOf(day: Day, minute: number, reference: TimeReference): string {
  const local = day * MS_PER_DAY + minute * MS_PER_MINUTE;
  return new Date(local - offsetAt(local, reference) * MS_PER_MINUTE).toISOString();
}
