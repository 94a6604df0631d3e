import { COUNT, MONTH_FULL, PART, WEEKDAY } from "./time-english-words.js";
import { type TimeRule, timeRule, unresolved } from "./time-reading.js";

/** Durations and recurrences, which are kept as they are: "for two hours", "every other Friday". */
export const LASTING: readonly TimeRule[] = [
  timeRule(`\\b(?:from )?${WEEKDAY}s? ?(?:to|through|-|–) ?${WEEKDAY}s?\\b`, (_, context) =>
    unresolved("recurrence", context),
  ),
  timeRule(
    `\\b(?:every|each) (?:single |other |second |two |three |four |few |couple of )?(?:day|morning|afternoon|evening|night|week|weekend|month|year|hour|spring|summer|fall|autumn|winter|${WEEKDAY}|${MONTH_FULL})s?(?: ${PART})?\\b`,
    (_, context) => unresolved("recurrence", context),
  ),
  timeRule(
    `\\b(?:on )?(?:${WEEKDAY}s|weekends|weekdays)\\b|\\b(?:daily|weekly|fortnightly|monthly|yearly|annually)\\b`,
    (_, context) => unresolved("recurrence", context),
  ),
  timeRule(
    "\\b(?:once|twice|\\d+ times|three times|several times) (?:a|per) (?:day|week|month|year)\\b",
    (_, context) => unresolved("recurrence", context),
  ),
  timeRule(
    `\\b(?:(?:for|over|during|within) )?(?:(?:the|these) )?(?:(?:past|last|next|first) )?${COUNT} (?:and a half )?(?:full |whole |more |long )?(?:second|minute|hour|day|night|week|weekend|fortnight|month|year|decade)s?(?: and a half)?\\b(?! (?:ago|back|old|from now|from today|from tomorrow|later|before|after)\\b)(?!-old)`,
    (_, context) => unresolved("duration", context),
  ),
];
