/** How times and numbers are written. Times are told as the clock of who spoke showed them. */

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const NUMBER = new Intl.NumberFormat("en-GB");
const MS_PER_MINUTE = 60_000;
const BYTE_UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/**
 * An instant as the clock of a place shows it, written as if that were UTC.
 * @param {string} instant ISO 8601
 * @param {number} offsetMinutes east of UTC
 */
export function local(instant, offsetMinutes) {
  return new Date(Date.parse(instant) + offsetMinutes * MS_PER_MINUTE).toISOString();
}

/** @param {string} instant ISO 8601 */
export function longDay(instant) {
  return DAY.format(new Date(instant));
}

/** @param {string} instant ISO 8601 */
export function shortDay(instant) {
  return SHORT_DAY.format(new Date(instant));
}

/** @param {string} instant ISO 8601 */
export function clockTime(instant) {
  return instant.slice(11, 16);
}

/**
 * At midnight the day alone.
 * @param {string | null} instant ISO 8601
 * @param {number} [offsetMinutes] east of UTC
 */
export function moment(instant, offsetMinutes = 0) {
  if (instant === null) return null;
  const there = local(instant, offsetMinutes);
  const time = clockTime(there);
  return time === "00:00" ? shortDay(there) : `${shortDay(there)}, ${time}`;
}

/**
 * For times of which nobody knows where they were said: in UTC, and it is told.
 * @param {string | null} instant ISO 8601
 */
export function utcMoment(instant) {
  const said = moment(instant);
  return said === null || clockTime(local(instant ?? "", 0)) === "00:00" ? said : `${said} UTC`;
}

/** @param {number} value */
export function number(value) {
  return NUMBER.format(value);
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** @param {number} value */
export function bytes(value) {
  const power = value < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  const amount = value / 1000 ** power;
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${BYTE_UNITS[power]}`;
}

/** @param {string} name `low_confidence`, `minSimilarity` */
export function inWords(name) {
  return name
    .replaceAll("_", " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
