import { isTellingWord, segmentWords, type TimeMention } from "../../language/index.js";
import type { EntryKind } from "../../records/index.js";

const MAX_KEYWORDS = 12;
const PLAN =
  /\b(?:will|going to|gonna|plans? to|planning|intends? to|aims? to|wants? to|hopes? to|about to|looking forward|upcoming|scheduled|appointment|deadline|need to|needs to|have to|has to|remind)\b|打算|计划|准备|将要?|要去|想去|预约|安排|记得|提醒/iu;
const DECISION =
  /\b(?:decided|decides|chose|chosen|agreed|settled on|made up (?:my|his|her|their) mind|opted|concluded)\b|决定|选择了|同意了|商定/iu;
const PREFERENCE =
  /\b(?:likes?|loves?|enjoys?|prefers?|favou?rite|hates?|dislikes?|can['’]?t stand|cannot stand|fond of|adores?|fan of|into|allergic|vegetarian|vegan|would rather|rather not)\b|喜欢|讨厌|偏爱|最爱|爱吃|爱喝|过敏|宁愿/iu;
const EVENT =
  /\b(?:went|visited|met|bought|sold|got|moved|started|finished|attended|joined|saw|had|took|won|lost|made|came|ran|adopted|broke|celebrated|signed|happened|(?<!\b(?:is|are|am) (?:also )?)\p{L}{3,}ed)\b|了|过/iu;

/** What sort of statement it is, by its cue words; a time in the past makes an event. */
export function kindOf(text: string, mention: TimeMention | null, mentionedAt: string): EntryKind {
  if (DECISION.test(text)) return "decision";
  if (mention !== null && mention.kind === "date") {
    if (Date.parse(mention.from) > Date.parse(mentionedAt)) return "plan";
    if (EVENT.test(text)) return "event";
  }
  if (PREFERENCE.test(text)) return "preference";
  if (PLAN.test(text)) return "plan";
  return EVENT.test(text) ? "event" : "fact";
}

const MONTH_OR_DAY =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Christmas|Easter|I)\b/u;
const PLACE_EN =
  /\b(?:in|at|to|from|near|around|visited|visiting)\s+((?:the\s+)?\p{Lu}[\p{L}\p{M}'’-]*(?:\s+(?:(?:of|and|&|de|la)\s+)?\p{Lu}[\p{L}\p{M}'’-]*){0,4})/gu;
const PLACE_ZH =
  /(?:搬到了?|搬去了?|来到|去了?|在)(\p{Script=Han}{2,6}?)(?=工作|上班|住|见|吃|买|开会|开|学|玩|出差|旅|举|参|度|过|的|和|，|。|！|、|$)/gu;
/** Chinese words after 在 that name a time or an action. */
const NOT_A_PLACE_ZH = /^(?:那里|这里|今天|明天|昨天|时候|一起|哪里|家里|做|看|想|等|学习|考虑)/u;

/** The place that the text names, or null. Persons are no places. */
export function placeOf(text: string, persons: readonly string[]): string | null {
  const people = new Set(persons.flatMap((person) => [person, ...person.split(" ")]));
  for (const [, found = ""] of text.matchAll(PLACE_EN)) {
    const place = found.replace(/^the\s+/iu, "").replace(/['’]s?$/u, "");
    if (!MONTH_OR_DAY.test(place) && !people.has(place) && !people.has(place.split(/['’\s]/u)[0] ?? "")) return place;
  }
  for (const [, place = ""] of text.matchAll(PLACE_ZH)) {
    if (!NOT_A_PLACE_ZH.test(place) && !people.has(place)) return place;
  }
  return null;
}

const DATE_WORDS = "(\\d{4}-\\d{2}-\\d{2}|\\d{1,2} \\p{Lu}\\p{L}+(?: \\d{4})?|\\p{Lu}\\p{L}+ \\d{1,2}(?:, \\d{4})?)";
const DEADLINE_EN = new RegExp(
  `\\b(?:by|before|until|due(?: on| by)?|no later than|deadline(?: \\p{L}+){0,3} (?:is|of)(?: on)?)\\s+${DATE_WORDS}`,
  "iu",
);
const DEADLINE_ZH = /(\d{4}年\d{1,2}月\d{1,2}日)(?:之前|以前|前)/u;
const AMOUNT =
  /(?:[$€£¥￥]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|million|billion))?|\d[\d,]*(?:\.\d+)?\s?(?:€|dollars?|euros?|pounds?|bucks|yuan|USD|EUR|GBP|元|块钱?|万元))/iu;
const RECIPIENT =
  /\b(?:send|sent|give|gave|pay|paid|lend|lent|bring|brought|deliver|delivered|mail|mailed|email|emailed|hand|handed|owes?)\b[^.!?]*?\bto (\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?)/u;

/** Details that have a name of their own: deadline, amount, recipient; only where the words are clear. */
export function attributesOf(text: string): { [name: string]: string } {
  const deadline = DEADLINE_EN.exec(text)?.[1] ?? DEADLINE_ZH.exec(text)?.[1];
  const amount = AMOUNT.exec(text)?.[0];
  const recipient = RECIPIENT.exec(text)?.[1];
  return {
    ...(deadline === undefined ? {} : { deadline }),
    ...(amount === undefined ? {} : { amount: amount.trim() }),
    ...(recipient === undefined ? {} : { recipient }),
  };
}

/** The telling words of the text as they are written (lower case), names first, at most 12. */
export function keywordsOf(text: string, names: readonly string[]): string[] {
  const words = segmentWords(text).filter((word) => isTellingWord(word) && (word.length > 1 || /\d/u.test(word)));
  const nameWords = new Set(names.flatMap((name) => name.toLowerCase().split(/\s+/u)));
  return [...new Set([...names, ...words.filter((word) => !nameWords.has(word))])].slice(0, MAX_KEYWORDS);
}

const KIND_WEIGHT: Readonly<Record<EntryKind, number>> = Object.freeze({
  fact: 0.1,
  preference: 0.15,
  event: 0.1,
  plan: 0.2,
  decision: 0.2,
  pattern: 0.2,
});

/** 0 to 0.95: grows with the numbers, dates and names that the text holds. */
export function importanceOf(details: number, kind: EntryKind): number {
  const detail = Math.min(0.45, details * 0.1);
  return Math.round((0.3 + KIND_WEIGHT[kind] + detail) * 100) / 100;
}
