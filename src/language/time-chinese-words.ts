import { chineseNumber } from "./numbers.js";
import type { Third } from "./time-parts.js";
import type { TimeRule } from "./time-reading.js";

export const DAY_WORDS: Readonly<Record<string, number>> = Object.freeze({
  大前天: -3,
  前天: -2,
  昨天: -1,
  昨日: -1,
  今天: 0,
  今日: 0,
  明天: 1,
  明日: 1,
  后天: 2,
  大后天: 3,
  昨: -1,
  今: 0,
  明: 1,
});
export const YEAR_WORDS: Readonly<Record<string, number>> = Object.freeze({
  大前年: -3,
  前年: -2,
  去年: -1,
  今年: 0,
  明年: 1,
  后年: 2,
  大后年: 3,
});
export const STEP_WORDS: Readonly<Record<string, number>> = Object.freeze({
  上上: -2,
  上: -1,
  这: 0,
  本: 0,
  下: 1,
  下下: 2,
});
/** Alternatives for patterns, the longest first. */
/** What "几" counts about. */
export const A_FEW = 3;
export const STEP = "(上上|上|这|本|下下|下)";
export const YEAR_WORD = "(大前年|前年|去年|今年|明年|大后年|后年)";
export const CARDINAL = "\\d一二三四五六七八九十";
export const NUMBER = `(\\d{1,2}|[一二三四五六七八九十]+)`;
const WEEKDAYS = "一二三四五六日";
export const SEASONS = "春夏秋冬";

export const N = "([\\d零一二两三四五六七八九十百]+|(?<!十)几|半)";
export const PART = "(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)";
export const CLOCK = "(?:([\\d一二两三四五六七八九十]+)[点點:：](半|一刻|三刻|[\\d一二三四五六七八九十]+分?)?)";
export const WEEK = "(?:周|星期|礼拜)";

export const THIRD = "(初|中旬?(?!国|学|午)|底|末)";

/** What a word of `THIRD` means. */
export function thirdOf(word = ""): Third {
  if (word === "初") return "early";
  return word.startsWith("中") ? "mid" : "late";
}

/** The value of what `N` matches; three for "几", half for "半". */
export function numberOf(text: string): number | null {
  if (text === "几") return A_FEW;
  if (text === "半") return 0.5;
  return chineseNumber(text);
}

/** 0 (Monday) to 6 (Sunday). */
export function weekdayNumber(name: string): number {
  return name === "天" ? 6 : WEEKDAYS.indexOf(name);
}

export function chineseRule(source: string, read: TimeRule["read"]): TimeRule {
  return { pattern: new RegExp(source, "gu"), read };
}
