import { dateOf } from "./calendar.js";
import { namedMonth } from "./time-english-months.js";
import { MONTH_ANY, NOT_BEFORE, stepOf, YEAR } from "./time-english-words.js";
import { type Third, thirdOfMonth, thirdOfYear, weekOfMonth } from "./time-parts.js";
import { type TimeRule, timeRule } from "./time-reading.js";
import { monthAway } from "./time-steps.js";

const PART_OF = "(?:(?:the )?(beginning|start|middle|end) of |(early|mid|late)[ -])";

function thirdOf(words: string): Third {
  if (/^(?:beginning|start|early)$/u.test(words)) return "early";
  return /^mid/u.test(words) ? "mid" : "late";
}

/** Parts of months and years: "early May", "the end of the year", "the first week of June". */
export const PARTS: readonly TimeRule[] = [
  timeRule(
    `\\b${PART_OF}(${MONTH_ANY})(?:,? ${YEAR})?${NOT_BEFORE}(?! \\d)`,
    (match, context) =>
      thirdOfMonth(namedMonth(match[3] ?? "", match[4], context), thirdOf(match[1] ?? match[2] ?? "")),
    "gu",
  ),
  timeRule(`\\b(?:the )?(beginning|start|middle|end) of (the|this|last|next) (month|year)\\b`, (match, { today }) => {
    const third = thirdOf((match[1] ?? "").toLowerCase());
    const step = stepOf((match[2] ?? "").toLowerCase());
    if ((match[3] ?? "").toLowerCase() === "month") return thirdOfMonth(monthAway(today, step), third);
    return thirdOfYear(dateOf(today).year + step, third);
  }),
  timeRule(`\\b${PART_OF}${YEAR}${NOT_BEFORE}(?!s\\b)`, (match) => {
    const third = thirdOf((match[1] ?? match[2] ?? "").toLowerCase());
    return { ...thirdOfYear(Number(match[3]), third), relative: false };
  }),
  timeRule(
    `\\b[Tt]he (first|second|third|fourth|last) week of (${MONTH_ANY})(?:,? ${YEAR})?${NOT_BEFORE}(?! \\d)`,
    (match, context) => weekOfMonth(namedMonth(match[2] ?? "", match[3], context), match[1] ?? ""),
    "gu",
  ),
];
