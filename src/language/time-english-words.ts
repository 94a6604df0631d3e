export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTH_KEYS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
export const SEASONS: Readonly<Record<string, number>> = Object.freeze({
  spring: 0,
  summer: 1,
  fall: 2,
  autumn: 2,
  winter: 3,
});
const SMALL_NUMBERS: Readonly<Record<string, number>> = Object.freeze({
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  couple: 2,
  few: 3,
  several: 4,
});

export const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
export const MONTH_FULL = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
export const MONTH_ANY = `(?:${MONTH_FULL}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\b\\.?)`;
/** Lower-case month names that are no other word. */
export const MONTH_LOWER = MONTH_ANY.replace("March|", "").replace("May|", "").replace("Mar|", "").toLowerCase();
export const MONTH = `(?:${MONTH_ANY}|${MONTH_LOWER})`;
export const DAY_NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?";
export const ORDINAL = "(\\d{1,2})(?:st|nd|rd|th)";
export const YEAR = "((?:1[89]|20)\\d\\d)";
export const NOT_AFTER = "(?<![\\w$€£#.,:/-])";
export const NOT_BEFORE = "(?![\\w%]|[.,:/-]\\d)";
export const COUNT =
  "(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|a couple(?: of)?|a few|few|several|half an?)";
export const UNIT = "(minute|hour|day|night|week|weekend|fortnight|month|year|decade)s?";
export const PART = "(morning|afternoon|evening|night)";
export const RELATIVE_WORD =
  "(last|past|next|this|this past|this coming|the coming|coming|the following|the previous|previous)";

/** The value of what `COUNT` matches; half for "half a"; null for other words. */
export function numberOf(words: string): number | null {
  if (/^\d+$/u.test(words)) return Number(words);
  if (words.startsWith("half")) return 0.5;
  return SMALL_NUMBERS[words.replace(/^a (?=couple|few)/u, "").replace(/ of$/u, "")] ?? null;
}

/** 1 to 12; 0 for a word that names no month. */
export function monthNumber(name: string): number {
  return MONTH_KEYS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/** 0 (Monday) to 6 (Sunday) of a whole name; -1 for any other word. */
export function weekdayNumber(name = ""): number {
  return WEEKDAYS.indexOf(name.toLowerCase());
}

/** True for a count that means about so many. */
export function isRough(words: string): boolean {
  return /few|several/u.test(words);
}

/** -1, 0 or 1 for "last", "this", "next" and their like. */
export function stepOf(word: string): -1 | 0 | 1 {
  if (/last|past|previous/u.test(word)) return -1;
  return /next|coming|following/u.test(word) ? 1 : 0;
}
