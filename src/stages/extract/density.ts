import {
  findNames,
  findNumbers,
  findTimeSpans,
  hasCjk,
  hasNegation,
  isPastVerb,
  isTellingWord,
  segmentWords,
  stemOf,
} from "../../language/index.js";
import type { DialogueTurn } from "../../records/index.js";
import { withoutVocatives } from "./vocatives.js";

/** Turns that say less than this are not worth an entry (0.35: the setting of the SimpleMem paper). */
export const DEFAULT_DENSITY_THRESHOLD = 0.35;

/** Gain of one telling word: exp(-0.45) is just under 1 - 0.35, so that one new word passes the default threshold. */
const WORD_WEIGHT = 0.45;
/** A word that the window has said already, in what may be a new statement. */
const REPEATED_WORD_WEIGHT = 0.25;
/** A number, date, amount or name passes by itself. */
const DETAIL_WEIGHT = 0.6;

const MONEY = /[$€£¥￥]\s?\d|\d\s?(?:[€£¥￥%]|dollars?|euros?|pounds?|bucks|元|块)/iu;

/** Stems of the text that tell something: no stop words, no words of small talk. */
export function tellingStems(text: string): string[] {
  const words = segmentWords(text).filter(isTellingWord);
  return [...new Set(words.map(stemOf))];
}

/** Words of a whole sentence that may make a statement however short it is. */
const STATES =
  /\b(?:i|we|he|she|they|it|my|our|his|her|their|in|at|on|to|from|with|by|of|for|is|are|was|were|am|will|can|not|no|never|did|do|does|have|has|had)\b|['’]/iu;
const MAX_REACTION_WORDS = 4;
const REACTION_ZH = /^(?:太|真|好|多|可|恭喜|哇|哎|唉|祝)[^，,我你他她]{1,5}[！。!~～]*$/u;

/** "Poor thing.", "Lucky you!", "Big step!", "太好了！": a reaction without subject or verb. Details are not looked for here. */
function isReaction(text: string): boolean {
  if (REACTION_ZH.test(text.trim())) return true;
  const words = text.match(/[\p{Script=Latin}\d'’-]+/gu) ?? [];
  if (words.length === 0 || words.length > MAX_REACTION_WORDS || hasCjk(text) || STATES.test(text)) return false;
  if (words.some((word) => isPastVerb(word) || /(?<!th)(?<=..)ing$/u.test(word))) return false;
  return tellingStems(text).length <= (/!\s*$/u.test(text) ? 2 : 1);
}

export interface GainContext {
  /** Who takes part: their names as a form of address tell nothing. */
  readonly speakers?: readonly string[];
  /** Stems that were said before in the window. */
  readonly said?: ReadonlySet<string>;
}

/** Whether the text is nothing but words of small talk: "Woohoo" is no person. */
export function isSmallTalk(text: string): boolean {
  return tellingStems(text).length === 0 && !/\d/u.test(text);
}

/** How many numbers, dates, amounts and names the text holds. */
export function countDetails(text: string, { speakers = [] }: GainContext = {}): number {
  const plain = withoutVocatives(text, speakers);
  const { persons, entities } = findNames(plain, speakers);
  const times = isGreeting(plain) ? 0 : findTimeSpans(plain).length;
  const names = [...persons, ...entities].filter((name) => !isSmallTalk(name));
  return findNumbers(plain).length + times + (MONEY.test(plain) ? 1 : 0) + names.length;
}

/** Its "morning" and "tonight" tell no time. */
function isGreeting(text: string): boolean {
  return (
    /^\W*(?:good (?:morning|afternoon|evening|night)|have a|早上好|晚上好|下午好)/iu.test(text) &&
    tellingStems(text).length <= 1 &&
    findNumbers(text).length === 0
  );
}

/**
 * Information gain of a text, 0 to 1: grows with telling words (new ones more than repeated ones), numbers, dates,
 * amounts and names. Greetings, thanks, bare confirmations and emoji are 0; a text with one number, date, amount or
 * name is at least 0.45.
 */
export function informationGain(text: string, context: GainContext = {}): number {
  const said = context.said ?? new Set<string>();
  const stems = tellingStems(withoutVocatives(text, context.speakers ?? []));
  const details = countDetails(text, context);
  if (details === 0 && isReaction(text)) return 0;
  let weight = details * DETAIL_WEIGHT;
  for (const stem of stems) weight += said.has(stem) ? REPEATED_WORD_WEIGHT : WORD_WEIGHT;
  if (stems.length > 0 && hasNegation(text)) weight += REPEATED_WORD_WEIGHT;
  return 1 - Math.exp(-weight);
}

/** Information gain of a window, 0 to 1: that of its most telling turn. */
export function windowGain(turns: readonly DialogueTurn[]): number {
  const speakers = [...new Set(turns.map((turn) => turn.speaker))];
  return Math.max(0, ...turns.map((turn) => informationGain(turn.content, { speakers })));
}

/** Whether a turn or window of this gain may be skipped unseen. */
export function isUnderThreshold(gain: number, threshold: number = DEFAULT_DENSITY_THRESHOLD): boolean {
  return gain < threshold;
}
