import { CARDINAL, chineseRule, N, WEEK } from "./time-chinese-words.js";
import { type TimeRule, unresolved } from "./time-reading.js";

/** Durations and recurrences, which are kept as they are: "三年", "每周三". */
export const LASTING_ZH: readonly TimeRule[] = [
  chineseRule(`(?<![上下这本个])${WEEK}[一二三四五六]\\s?(?:到|至|[-—~～])\\s?${WEEK}?[二三四五六日天]`, (_, context) =>
    unresolved("recurrence", context),
  ),
  chineseRule(
    `每年的?(?:[春夏秋冬][天季]|[${CARDINAL}]+月(?:份|[${CARDINAL}]+[日号])?)|每个?月的?[${CARDINAL}]+[日号]`,
    (_, context) => unresolved("recurrence", context),
  ),
  chineseRule(`隔(?:一|两|几)?个?(?:${WEEK}[一二三四五六日天]?|天|日|月|年)`, (_, context) =>
    unresolved("recurrence", context),
  ),
  chineseRule("(?<=^|[，。！？,\\s])(?:次日|第二天|隔天)", (_, context) => unresolved("unclear", context)),
  chineseRule(
    `每(?:隔)?(?:一|两|几)?个?(?:${WEEK}[一二三四五六日天]|周末|天|日|周|星期|礼拜|月|年|晚|早上|晚上)(?:早上|上午|下午|晚上)?|天天`,
    (_, context) => unresolved("recurrence", context),
  ),
  chineseRule(
    `(?<!第)${N}(?:多)?(?:分钟|个?小时|个?钟头|天(?!到晚)|周(?!年|岁)|个?星期|个?礼拜|个月|年)半?(?!(?:之|以)?[前后]|半?(?:之|以)?[前后]|级|代|四季|[${CARDINAL}])`,
    (_, context) => unresolved("duration", context),
  ),
];
