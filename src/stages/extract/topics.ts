import { hasCjk, isPastVerb } from "../../language/index.js";

const WORD = /[\p{L}\p{M}\d]+(?:['’-][\p{L}\d]+)*/gu;
const DETERMINER = /^(?:an?|the|some|my|his|her|their|our|your|its|this|that|these|those|.*['’]s)$/iu;
/** What may follow the last word of a noun phrase. */
const AFTER_PHRASE =
  /^(?:is|was|are|were|has|had|will|can|in|on|at|to|for|from|of|with|and|or|but|by|because|since|when|while|if|that|who|every|last|this|next|after|before|instead)$/iu;
const PREPOSITION = /^(?:in|on|at|for|from|of|with|about|by|like|into|as|near|through)$/iu;
/** After these stands a bare verb. */
const BEFORE_VERB =
  /^(?:to|will|would|can|could|should|may|might|must|cannot|do|does|did|not|never|always|let['’]?s|.*n['’]t)$/iu;
const SUBJECT = /^(?:i|you|he|she|it|we|they|who|user|assistant)$/iu;
const COPULA = /^(?:is|are|was|were|be|been|feels?|felt|gets?|got|became|so|very|too|really)$/iu;
const ADVERB = /^(?:.*ly|just|also|still|even|often|only|once|never|always|already)$/iu;
const VERB_FORM = /(?:s|ed)$/iu;
const MEASURE =
  /^(?:euros?|dollars?|pounds?|bucks|minutes?|hours?|percent|kilomet(?:er|re)s?|miles?|times?|bit|lot|people|thing|things)$/iu;
const NO_TOPIC =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|tomorrow|tonight|week|weekend|month|year|day|time|morning|afternoon|evening|night|one|two|three|four|five|six|seven|eight|nine|ten|.*(?:ed|ly)|got|bought|went|made|took|said|asked|answered|pasted|user|assistant)$/iu;
const NO_TOPIC_ZH =
  /^(?:喜欢|觉得|认为|知道|打算|计划|准备|决定|想要|需要|开始|希望|记得|已经|可以|应该|没有|不能|非常|特别|一直|经常|现在|时候|昨天|今天|明天|前天|后天|去年|今年|明年|上周|下周|周末|回答|最近|以后|之后|以前|之前|一起|因为|所以|但是)$/u;

/** How likely a place in the sentence makes a word the topic. */
const WEIGHT = Object.freeze({ phraseHead: 4, object: 3, afterPreposition: 2, plain: 1, predicate: 0.5, measure: 0.2 });

/**
 * The word that says best what a statement is about: a noun by its place, the heads of noun phrases and objects first,
 * the earlier of two alike. Never a name, a number or a word for a time, and no verb where its place shows one; null when nothing is left.
 *
 * @param keywords the telling words of the text
 * @param names persons and entities that it names
 */
export function topicOf(text: string, keywords: readonly string[], names: readonly string[]): string | null {
  const nameWords = new Set(names.flatMap((name) => [name, ...name.toLowerCase().split(/\s+/u)]));
  const words = keywords.filter((word) => !nameWords.has(word) && !/\d/u.test(word));
  return hasCjk(text) ? chineseTopic(text, words) : englishTopic(text, new Set(words), nameWords);
}

function englishTopic(text: string, words: ReadonlySet<string>, names: ReadonlySet<string>): string | null {
  const tokens = Array.from(text.matchAll(WORD), (match) => ({ text: match[0], index: match.index }));
  let best: { word: string; weight: number } | null = null;
  for (const [at, token] of tokens.entries()) {
    const word = token.text.toLowerCase();
    if (!words.has(word) || NO_TOPIC.test(word)) continue;
    const weight = weightOf(text, tokens, at, names);
    if (weight > (best?.weight ?? 0)) best = { word, weight };
  }
  return best?.word ?? null;
}

interface Token {
  readonly text: string;
  readonly index: number;
}

function weightOf(text: string, tokens: readonly Token[], at: number, names: ReadonlySet<string>): number {
  const token = tokens[at]?.text ?? "";
  if (MEASURE.test(token)) return WEIGHT.measure;
  const before = wordBefore(text, tokens, at);
  if (isVerb(token, before, names)) return 0;
  const endsPhrase = isPhraseEnd(text, tokens, at);
  if (endsPhrase && isAfterDeterminer(text, tokens, at)) return WEIGHT.phraseHead;
  if (COPULA.test(before)) return WEIGHT.predicate;
  if (!endsPhrase) return WEIGHT.plain;
  if (PREPOSITION.test(before)) return WEIGHT.afterPreposition;
  return before === "" ? WEIGHT.plain : WEIGHT.object;
}

/** "Ane restores clocks", "to sell the boat", "she never flies". */
function isVerb(word: string, before: string, names: ReadonlySet<string>): boolean {
  if (BEFORE_VERB.test(before)) return !/ing$/iu.test(word);
  const hasSubject = SUBJECT.test(before) || names.has(before.toLowerCase());
  return hasSubject && (VERB_FORM.test(word) || isPastVerb(word) || SUBJECT.test(before));
}

/** The word before, over adverbs, within the same clause; empty at its beginning. */
function wordBefore(text: string, tokens: readonly Token[], at: number): string {
  for (let index = at; index > 0; index--) {
    const [here, previous] = [tokens[index], tokens[index - 1]];
    if (here === undefined || previous === undefined) return "";
    if (text.slice(previous.index + previous.text.length, here.index).trim() !== "") return "";
    if (!ADVERB.test(previous.text) || BEFORE_VERB.test(previous.text)) return previous.text;
  }
  return "";
}

function isPhraseEnd(text: string, tokens: readonly Token[], at: number): boolean {
  const [here, next] = [tokens[at], tokens[at + 1]];
  if (here === undefined || next === undefined) return true;
  if (text.slice(here.index + here.text.length, next.index).trim() !== "" || AFTER_PHRASE.test(next.text)) return true;
  // "The museum closes", "the car keys": the first word is a noun either way.
  return VERB_FORM.test(next.text) && DETERMINER.test(tokens[at - 1]?.text ?? "");
}

/** "a really big mural": a determiner at most three words before, with nothing between that ends a phrase. */
function isAfterDeterminer(text: string, tokens: readonly Token[], at: number): boolean {
  for (let back = 1; back <= 3; back++) {
    const word = tokens[at - back];
    const next = tokens[at - back + 1];
    if (word === undefined || next === undefined) return false;
    if (text.slice(word.index + word.text.length, next.index).trim() !== "") return false;
    if (DETERMINER.test(word.text)) return true;
    if (AFTER_PHRASE.test(word.text) || VERB_FORM.test(word.text)) return false;
  }
  return false;
}

/** What stands before 是 is spoken of; else the object, which comes last, of the longest words. */
function chineseTopic(text: string, words: readonly string[]): string | null {
  const nouns = words.filter((word) => !NO_TOPIC_ZH.test(word));
  const spokenOf = nouns.find((word) => text.includes(`${word}是`));
  if (spokenOf !== undefined) return spokenOf;
  return nouns.reduce<string | null>((best, word) => (best === null || word.length >= best.length ? word : best), null);
}
