import { spelledNumber } from "./numbers.js";

export const WEEKDAYS = Object.freeze(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);
const MONTH_KEYS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
export const SEASONS: Readonly<Record<string, number>> = Object.freeze({
  spring: 0,
  summer: 1,
  fall: 2,
  autumn: 2,
  winter: 3,
});
const COUNT_WORDS: Readonly<Record<string, number>> = Object.freeze({ a: 1, an: 1, couple: 2, few: 3, several: 4 });
const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
  "thirteenth",
  "fourteenth",
  "fifteenth",
  "sixteenth",
  "seventeenth",
  "eighteenth",
  "nineteenth",
  "twentieth",
  ...["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"].map(
    (unit) => `twenty-${unit}`,
  ),
  "thirtieth",
  "thirty-first",
];

export const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
export const MONTH_FULL = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
export const MONTH_ANY = `(?:${MONTH_FULL}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\b\\.?)`;
/** Lower-case month names that are no other word. */
export const MONTH_LOWER = MONTH_ANY.replace("March|", "").replace("May|", "").replace("Mar|", "").toLowerCase();
export const MONTH = `(?:${MONTH_ANY}|${MONTH_LOWER})`;
export const SEASON = "(spring|summer|fall|autumn|winter)";
export const DAY_NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?";
export const ORDINAL = "(\\d{1,2})(?:st|nd|rd|th)";
/** The longest first: "twenty-first" before "twentieth" and "first". */
export const ORDINAL_WORD = `(${ORDINALS.toReversed().join("|").replaceAll("-", "[- ]")})`;
export const YEAR = "((?:1[89]|20)\\d\\d)";
export const NOT_AFTER = "(?<![\\w$€£#.,:/-])";
export const NOT_BEFORE = "(?![\\w%]|[.,:/-]\\d)";
const UNIT_NUMBER = "one|two|three|four|five|six|seven|eight|nine";
const SPELLED = `(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:${UNIT_NUMBER}))?|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|${UNIT_NUMBER}`;
export const COUNT = `(\\d{1,3}|an?|${SPELLED}|a couple(?: of)?|a few|few|several|half an?)`;
export const UNIT = "(minute|hour|day|night|week|weekend|fortnight|month|year|decade)s?";
/** Words after which a count is no longer exact. */
export const QUALIFIER = "(?:(?:well )?over|more than|less than|(?:just )?under|at least|almost|nearly|roughly)";
export const PART = "(morning|afternoon|evening|night)";
export const RELATIVE_WORD = "(last|past|next|this|this past|this coming|the coming|coming|the previous|previous)";

/** The value of what `COUNT` matches; half for "half a"; null for other words. */
export function numberOf(words: string): number | null {
  if (/^\d+$/u.test(words)) return Number(words);
  if (words.startsWith("half")) return 0.5;
  return COUNT_WORDS[words.replace(/^a (?=couple|few)/u, "").replace(/ of$/u, "")] ?? spelledNumber(words);
}

/** 1 to 31 for "first" to "thirty-first"; 0 for any other word. */
export function ordinalNumber(word: string): number {
  return ORDINALS.indexOf(word.toLowerCase().replace(" ", "-")) + 1;
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
export function stepOf(word = ""): -1 | 0 | 1 {
  if (/last|past|previous/iu.test(word)) return -1;
  return /next|coming/iu.test(word) ? 1 : 0;
}
