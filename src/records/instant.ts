import { InvalidInputError } from "./errors.js";

/** A moment, with the offset of the place where it was said. */
export interface ZonedInstant {
  /** ISO 8601 in UTC, with milliseconds and "Z". */
  readonly instant: string;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
}

const MINUTE_MS = 60_000;
const NUMERIC_OFFSET = /([+-])(\d{2}):?(\d{2})$/;
const ISO_SHAPE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*Z|\s*[+-]\d{2}:?\d{2})?)?$/i;

const ALWAYS_ZERO = /^(?:etc\/)?(?:utc|gmt)$/i;

/** Minutes east of UTC that a zone has at a moment. */
export function zoneOffsetMinutes(epochMs: number, timeZone: string): number {
  // Asking `Intl` costs more than all else that is done with a turn's time.
  if (ALWAYS_ZERO.test(timeZone)) return 0;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(epochMs);
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "GMT";
  const match = /([+-])(\d{2}):(\d{2})/.exec(name);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}

/** True for a name that `Intl` knows, such as "Asia/Shanghai". */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function fromWallClock(wallMs: number, timeZone: string): ZonedInstant {
  // The offset depends on the instant that is looked for: two passes settle it, also next to a change of summer time.
  const first = zoneOffsetMinutes(wallMs, timeZone);
  const offsetMinutes = zoneOffsetMinutes(wallMs - first * MINUTE_MS, timeZone);
  return { instant: new Date(wallMs - offsetMinutes * MINUTE_MS).toISOString(), offsetMinutes };
}

function at(epochMs: number, timeZone: string): ZonedInstant {
  return { instant: new Date(epochMs).toISOString(), offsetMinutes: zoneOffsetMinutes(epochMs, timeZone) };
}

/**
 * Reads a caller's time. A numeric offset is kept; "Z" and a Date name an instant that is placed in `timeZone`; a time
 * without offset is wall-clock time in `timeZone`. The machine's own zone never matters.
 * @throws InvalidInputError when it is no ISO 8601 time
 * @example parseInstant("2026-01-10T23:30:00-08:00", "UTC") // { instant: "2026-01-11T07:30:00.000Z", offsetMinutes: -480 }
 */
export function parseInstant(value: string | Date, timeZone: string): ZonedInstant {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new InvalidInputError("timestamp is an invalid Date.");
    return at(value.getTime(), timeZone);
  }
  const text = value.trim();
  if (!ISO_SHAPE.test(text) || !isCalendarDay(text.slice(0, 10))) throw notATime(value);
  const normal = text.replace(" ", "T").replace(/\s+/g, "");
  const offset = normal.length > 10 ? NUMERIC_OFFSET.exec(normal) : null;
  const isZulu = /z$/i.test(normal);
  const epochMs = Date.parse(offset !== null || isZulu ? normal : normal.length === 10 ? normal : `${normal}Z`);
  if (Number.isNaN(epochMs)) throw notATime(value);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return { instant: new Date(epochMs).toISOString(), offsetMinutes: offset[1] === "-" ? -minutes : minutes };
  }
  return isZulu ? at(epochMs, timeZone) : fromWallClock(epochMs, timeZone);
}

/** "2024-02-31" has the shape of a day, and is read as one of March. */
function isCalendarDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

function notATime(value: string): InvalidInputError {
  return new InvalidInputError(
    `timestamp must be ISO 8601, such as "2026-01-10T23:30:00-08:00", got ${JSON.stringify(value)}.`,
  );
}

/** A time of day without an offset. */
const NO_OFFSET = /\d[T ]\d[^Z+-]*$/i;

/**
 * A caller's time in ms since the epoch, where no zone is known: without an offset it is read as UTC, so that the machine's own
 * zone never matters. NaN for a text that is none.
 */
export function epochOf(time: string): number {
  return Date.parse(NO_OFFSET.test(time) ? `${time.trim()}Z` : time);
}

/** As `epochOf`, in ISO 8601. */
export function inUtc(time: string): string {
  return new Date(epochOf(time)).toISOString();
}
