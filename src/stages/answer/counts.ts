import { contentStems, detectLanguage, findNumbers } from "../../language/index.js";
import type { Asked } from "./asked.js";
import type { Evidence } from "./evidence.js";
import { durationOf, withoutDates } from "./times.js";

const ENGLISH_NUMBER =
  /[$€£¥]?\d[\d,]*(?:\.\d+)?%?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)(?:[\s-]+(?:and\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million))*\b|\b(?:once|twice)\b/giu;
const CHINESE_COUNT =
  /(?:每[年月周天次])?[\d零〇一二两三四五六七八九十百千万亿]+(?:\.\d+)?多?(?:平方米|公里|公斤|欧元|美元|英镑|元|块|[个只本条位年天岁次点辆张间套杯])/gu;
const CHINESE_MONEY = /租|价|钱|费|款|薪|工资|预算/u;
const MONEY_UNIT = /(?:元|块|英镑)/u;
/** "一个" says "a" more often than "one". */
const CHINESE_ARTICLE = /^一[个只本条位张间套辆]$/u;
const UNIT_AFTER =
  /^\s+(?:years?|months?|weeks?|days?|hours?|minutes?|times|percent|dollars?|euros?|pounds?|miles?|km|kilometres?|kilometers?|kg|metres?|meters?)\b(?:\s+(?:a|per)\s+(?:day|week|month|year)\b)?/iu;
const ASKS_OFTEN = /\bhow often\b/iu;
const OFTEN =
  /\b(?:every\s+(?:single\s+|other\s+)?\p{L}+|(?:once|twice|\p{L}+ times)\s+(?:a|per|every)\s+\p{L}+|daily|weekly|monthly|yearly|(?:almost |nearly )?every\s?day)\b/iu;
const ASKS_LONG = /\bhow long\b|多久/iu;
const SPELLED = /^[a-z]/i;
/** Words after a number within which the counted thing is named. */
const COUNTED_WITHIN = 4;

interface Counted {
  readonly number: string;
  readonly after: string;
}

function numbersOf(text: string): Counted[] {
  const isChinese = detectLanguage(text) === "zh";
  return [...text.matchAll(isChinese ? CHINESE_COUNT : ENGLISH_NUMBER)].map((match) => ({
    number: match[0],
    after: text.slice(match.index + match[0].length),
  }));
}

function writtenNumber({ number, after }: Counted): string {
  const value = SPELLED.test(number) ? (findNumbers(number)[0] ?? number) : number;
  return `${value}${UNIT_AFTER.exec(after)?.[0] ?? ""}`;
}

/** How many: the number before the thing that is counted, else the only number that is no part of a date. */
export function countOf(evidence: Evidence, asked: Asked): string | null {
  const { text, hit } = evidence;
  if (ASKS_OFTEN.test(asked.question)) return OFTEN.exec(text)?.[0] ?? null;
  if (ASKS_LONG.test(asked.question)) {
    const duration = durationOf(evidence, asked);
    if (duration !== null) return /^\p{Lu}?\p{Ll}/u.test(duration) ? digits(duration) : duration;
  }
  const all = numbersOf(withoutDates(text, hit, asked.timeZone)).filter(({ number }) => !CHINESE_ARTICLE.test(number));
  const isMoney = CHINESE_MONEY.test(asked.question) && asked.language === "zh";
  const counted = isMoney ? all.filter(({ number }) => MONEY_UNIT.test(number)) : all;
  const isBefore = ({ number, after }: Counted): boolean => {
    const next = `${number} ${after}`.split(/[,.;，。；]|\band\b/u)[0] ?? "";
    return contentStems(next)
      .slice(0, COUNTED_WITHIN)
      .some((stem) => asked.stems.has(stem));
  };
  const found = counted.find(isBefore) ?? counted.find(({ number }) => number.toLowerCase() !== "one");
  return found === undefined ? null : writtenNumber(found);
}

/** "five years" as "5 years". */
function digits(duration: string): string {
  return duration.replace(ENGLISH_NUMBER, (number) =>
    SPELLED.test(number) ? (findNumbers(number)[0] ?? number) : number,
  );
}
