import {
  findNames,
  findNumbers,
  findTimeSpans,
  hasCjk,
  hasNegation,
  isPastVerb,
  isStopWord,
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

/** Words of greeting, thanks, praise and confirmation: they carry a conversation and say nothing that lasts. */
const SMALL_TALK_WORDS =
  "hello hi hey hiya howdy greetings morning afternoon evening night day bye goodbye see later soon take care welcome " +
  "thanks thank thankful appreciate appreciated cheers please sorry apologies pardon excuse " +
  "yes yeah yep yup sure okay ok alright right fine exactly totally absolutely definitely certainly indeed agree agreed true correct " +
  "no nope nah never mind problem worries " +
  "wow whoa awesome great good nice cool amazing wonderful fantastic incredible lovely sweet perfect excellent brilliant super " +
  "woah wooo woo woohoo yay yikes whoo hooray phew yup aw awww hurrah interesting fun sounds sound look looks looking glad happy hear heard congrats congratulations haha hahaha lol lmao hehe hmm umm uh um ah aww oops " +
  "got get gotcha know understand understood see say said tell really well let go going gonna back keep thing things stuff way lot much " +
  "talk chat catch up luck best wish wishes proud hope think guess bet mean done noted ya yo dear friend guys everyone there how are";
const SMALL_TALK_WORDS_ZH =
  "你好 您好 大家 早 早上 早安 晚上 晚安 上午 下午 再见 拜拜 拜 谢谢 谢 多谢 感谢 不客气 客气 不用 抱歉 对不起 没关系 没事 好 好的 好吧 好啊 行 可以 嗯嗯 哈哈 哈哈哈 哈 嘿 呵呵 是的 对的 当然 没错 没问题 问题 知道 明白 了解 收到 真 真的 太 棒 太棒 厉害 不错 加油 辛苦 同意 确实 原来如此 哇 哦 嗯 吧 啊 呢 呀 哪 晚 安 错 客 气 没 关 系 事 多 感 起 对 再 见 白 明 收 到 知 道 了 解 然 当 题 问 用 午 上 下 们";
const SMALL_TALK: ReadonlySet<string> = new Set(`${SMALL_TALK_WORDS} ${SMALL_TALK_WORDS_ZH}`.split(" "));
const MONEY = /[$€£¥￥]\s?\d|\d\s?(?:[€£¥￥%]|dollars?|euros?|pounds?|bucks|元|块)/iu;

/** Whether a word as `segmentWords` gives it tells something. */
export function isTellingWord(word: string): boolean {
  return !isStopWord(word) && !SMALL_TALK.has(word);
}

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
