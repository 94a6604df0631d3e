import { COUNTED } from "./time-english-counted.js";
import { DATES } from "./time-english-dates.js";
import { FEAST_HINT, FEASTS } from "./time-english-feasts.js";
import { LASTING } from "./time-english-lasting.js";
import { NEAR_DAYS } from "./time-english-near.js";
import { PARTS } from "./time-english-parts.js";
import { PERIODS } from "./time-english-periods.js";
import { RANGES } from "./time-english-ranges.js";
import { WEEKDAY_DAYS } from "./time-english-weekdays.js";
import type { TimeRuleGroup } from "./time-reading.js";

const DAY_HINT = /day|tomorrow|tonite|night|morning|afternoon|evening|\b(?:mon|tue|wed|thu|fri|sat|sun)/iu;
const MONTH_HINT = /\b(?:spring|summer|fall|autumn|winter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/iu;
const PERIOD_HINT = /week|month|year|decade|night|hour|minute|daily|annually/iu;
const hintOf = (...hints: readonly RegExp[]): RegExp => new RegExp(hints.map(({ source }) => source).join("|"), "iu");

/** What all the groups need. */
export const ENGLISH_TIME_HINT = hintOf(/\d/u, DAY_HINT, MONTH_HINT, PERIOD_HINT, FEAST_HINT);

/** What English says about time. Where two rules meet, the longer match wins. */
export const ENGLISH_TIME_RULES: readonly TimeRuleGroup[] = [
  { hint: DAY_HINT, rules: NEAR_DAYS },
  { hint: hintOf(PERIOD_HINT, /days?\b/u), rules: COUNTED },
  { hint: hintOf(DAY_HINT, MONTH_HINT, PERIOD_HINT), rules: PERIODS },
  { hint: hintOf(DAY_HINT, /weekend/u), rules: WEEKDAY_DAYS },
  { hint: hintOf(/\d{4}/u, MONTH_HINT, PERIOD_HINT), rules: PARTS },
  { hint: /\d/u, rules: RANGES },
  { hint: hintOf(/\d/u, MONTH_HINT), rules: DATES },
  { hint: FEAST_HINT, rules: FEASTS },
  { hint: ENGLISH_TIME_HINT, rules: LASTING },
];
