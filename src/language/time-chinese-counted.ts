import { chineseRule, N, numberOf } from "./time-chinese-words.js";
import {
  dayReading,
  momentReading,
  type Reading,
  type ReadingContext,
  type TimeRule,
  unresolved,
} from "./time-reading.js";
import { monthAway, weekAway, yearAway } from "./time-steps.js";
import { chineseDay } from "./time-written.js";

/** What is counted from now: "三天前", "两周后". */
export const COUNTED_ZH: readonly TimeRule[] = [
  chineseRule(`${N}(分钟|个?小时|个?钟头|天|日|周|个?星期|个?礼拜|个月|年)(?:之|以)?(前|后)`, (match, context) => {
    const count = numberOf(match[1] ?? "");
    if (count === null) return null;
    return countedAway(match[1] ?? "", match[3] === "前" ? -count : count, match[2] ?? "", context);
  }),
  chineseRule(`${N}(年|个?小时|个?钟头|个?星期|周|个月)半(?:之|以)?(前|后)`, (match, context) => {
    const count = numberOf(match[1] ?? "");
    if (count === null) return null;
    return halvesAway((match[3] === "前" ? -1 : 1) * (count + 0.5), match[2] ?? "", context);
  }),
  chineseRule(`${N}个半(月|小时|钟头|星期)(?:之|以)?(前|后)`, (match, context) => {
    const count = numberOf(match[1] ?? "");
    if (count === null) return null;
    return halvesAway((match[3] === "前" ? -1 : 1) * (count + 0.5), match[2] ?? "", context);
  }),
];

/** "几年前" is no count: the words are kept, and the day that they are told from. */
function countedAway(words: string, count: number, unit: string, context: ReadingContext): Reading | null {
  const reading = awayByUnit(count, unit, context);
  if (reading === null || words !== "几" || reading.granularity === "time") return reading;
  return { ...reading, written: `${chineseDay(context.today)}的几${unit}${count < 0 ? "前" : "后"}` };
}

/** "两年半": as exact as half of the unit is; weeks and months and a half have no calendar. */
function halvesAway(count: number, unit: string, context: ReadingContext): Reading | null {
  if (/小时|钟头/u.test(unit)) return momentReading(context, count * 60);
  return unit === "年" ? monthAway(context.today, count * 12) : unresolved("unclear", context);
}

/** `count` units away from today, as exact as the unit is. */
export function awayByUnit(count: number, unit: string, context: ReadingContext): Reading | null {
  const { today } = context;
  if (unit === "分钟") return momentReading(context, count);
  if (unit.endsWith("小时") || unit.endsWith("钟头")) return momentReading(context, count * 60);
  if (Math.abs(count) === 0.5) {
    return unit === "年"
      ? monthAway(today, Math.sign(count) * 6)
      : unit.endsWith("月")
        ? weekAway(today, Math.sign(count) * 2)
        : null;
  }
  if (unit === "天" || unit === "日") return dayReading(today + count);
  if (/周|星期|礼拜/u.test(unit)) return weekAway(today, count);
  if (unit.endsWith("月")) return monthAway(today, count);
  return yearAway(today, count);
}
