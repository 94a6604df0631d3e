import { COUNTED_ZH } from "./time-chinese-counted.js";
import { DATES_ZH } from "./time-chinese-dates.js";
import { DAYS_ZH } from "./time-chinese-days.js";
import { FEAST_HINT_ZH, FEASTS_ZH } from "./time-chinese-feasts.js";
import { LASTING_ZH } from "./time-chinese-lasting.js";
import { PERIODS_ZH } from "./time-chinese-periods.js";
import type { TimeRuleGroup } from "./time-reading.js";

const HINT = /[天日周月年晚早夜号前后]|星期|礼拜|小时|分钟|钟头/u;

/** A cheap sign that one of the rules may match. */
export const CHINESE_TIME_HINT = new RegExp(`${HINT.source}|${FEAST_HINT_ZH.source}`, "u");

/** What Chinese says about time. Where two rules meet, the longer match wins. */
export const CHINESE_TIME_RULES: readonly TimeRuleGroup[] = [
  { hint: HINT, rules: [...DAYS_ZH, ...PERIODS_ZH, ...DATES_ZH, ...COUNTED_ZH, ...LASTING_ZH] },
  { hint: FEAST_HINT_ZH, rules: FEASTS_ZH },
];
