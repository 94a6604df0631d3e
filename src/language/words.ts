import { stemmer } from "stemmer";
import { cutWords } from "./word-cutter.js";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const HAN_OR_KANA = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;
const HAN = /\p{Script=Han}/gu;
const KANA_OR_HANGUL = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LATIN_LETTER = /\p{Script=Latin}/gu;
const OTHER_LETTER = /(?!\p{Script=Latin}|\p{Script=Han})\p{L}/gu;
const ACCENTED_OR_FOREIGN = /[äöüßñãõåøæœçčšžłąęğış¿¡]/iu;
/** Tokens that a word cutter would tear apart: addresses, links, handles, and ids such as `ORD-4417` or `v1.2.3`. */
const WHOLE_TOKEN =
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/[^\s<>"'，。）)]+|[@#][\p{L}\d_](?:[\p{L}\d_.-]*[\p{L}\d_])?|(?<![\p{L}\d])(?=[A-Za-z\d._/-]*\d)[A-Za-z\d]+(?:[._/-][A-Za-z\d]+)+/gu;
/** Without one of these there is no such token. */
const WHOLE_TOKEN_HINT = /[@#\d]|http/u;
const TOKEN_PARTS = /[\p{L}\d]+/gu;
/** Signs that every word of them ends at: a text of these and ASCII needs no cutter. */
const PLAIN = /^[\p{ASCII}–—“”€£]*$/u;
/** A word of plain text, by the rules of the cutter (UAX 29): inner marks join letters ("don't") or digits ("1,200"). */
const PLAIN_WORD = /\w+(?:(?:(?<=[a-z])[.':](?=[a-z])|(?<=\d)[.,;'](?=\d))\w+)*/gu;
const ASCII = /^\p{ASCII}*$/u;
const ENGLISH_WORD = /^[a-z][a-z']*$/u;
const POSSESSIVE = /['’]s$|['’]$/u;
const CONTRACTION = /(?:n't|'(?:re|ve|ll|d|m|s))$/u;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers " +
    "herself it its itself they them their theirs themselves am is are was were be been being have has had having do does did doing " +
    "will would shall should can could may might must and or but nor so if then than as of at by for with about into to from in on up " +
    "out off over under again here there when where why how what which who whom whose all any both each few more most other some such " +
    "no not only own same too very just also ever n't s t m re ve ll d don doesn didn isn aren wasn weren " +
    "hasn haven hadn won wouldn couldn shouldn cannot gonna wanna yeah yes ok okay oh hi hey hello thanks " +
    "的 了 是 在 我 我们 你 你们 您 他 她 它 他们 她们 和 与 也 就 都 而 及 着 吗 呢 吧 啊 呀 哦 嗯 把 被 这 那 这个 那个 什么 谁 哪 怎么 一个 个 很 会 要 有 没有 不 地 得 之 对 从 到 说"
  ).split(" "),
);

function normalised(text: string): string {
  return (ASCII.test(text) ? text : text.normalize("NFKC").replaceAll("’", "'")).toLowerCase();
}

/** True when the word says too little to be searched for. Case does not matter. */
export function isStopWord(word: string): boolean {
  return isStop(word) || (!HAN_OR_KANA.test(word) && isStop(normalised(word)));
}

/** The same of a word as `segmentWords` gives it. */
function isStop(word: string): boolean {
  return STOP_WORDS.has(word) || (word.includes("'") && STOP_WORDS.has(word.replace(CONTRACTION, "")));
}

/** True when the text holds a Chinese, Japanese or Korean character. */
export function hasCjk(text: string): boolean {
  return CJK.test(text);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The language whose rules fit the text; "other" for languages without rules and for texts without letters. */
export function detectLanguage(text: string): "en" | "zh" | "other" {
  const han = count(text, HAN);
  const latin = count(text, LATIN_LETTER);
  const others = count(text, OTHER_LETTER);
  if (KANA_OR_HANGUL.test(text) && others * 5 > han) return "other";
  // One Han character says about as much as three letters.
  if (han > 0 && han * 3 >= latin && han >= others) return "zh";
  if (latin === 0 || others > latin) return "other";
  return count(text, new RegExp(ACCENTED_OR_FOREIGN, "giu")) * 25 > latin ? "other" : "en";
}

/**
 * The words of a text, lower-cased and normalised (NFKC), in order. Chinese is cut into words, each of which is
 * followed by its single characters, so that a query of one character finds it. E-mail addresses, links, handles and
 * ids come whole, followed by their parts.
 */
export function segmentWords(text: string): string[] {
  const clean = normalised(text);
  const words: string[] = [];
  let start = 0;
  for (const token of WHOLE_TOKEN_HINT.test(clean) ? clean.matchAll(WHOLE_TOKEN) : []) {
    cutInto(words, clean.slice(start, token.index));
    words.push(token[0]);
    const parts = token[0].match(TOKEN_PARTS) ?? [];
    if (parts.join("") !== token[0]) words.push(...parts);
    start = token.index + token[0].length;
  }
  cutInto(words, clean.slice(start));
  return words;
}

function cutInto(words: string[], text: string): void {
  if (text === "") return;
  if (PLAIN.test(text)) {
    for (const word of text.match(PLAIN_WORD) ?? []) if (word !== "_") words.push(word);
    return;
  }
  for (const word of cutWords(text)) {
    words.push(word);
    if (word.length > 1 && HAN_OR_KANA.test(word)) words.push(...word);
  }
}

/** The words of `indexWords` as an array. */
export function contentStems(text: string): string[] {
  const words = segmentWords(text);
  const telling = words.filter((word) => !isStop(word));
  return (telling.length > 0 ? telling : words).map(stemOf);
}

/** The stem of one word as `segmentWords` gives it. */
export function stemOf(word: string): string {
  const bare = word.replace(POSSESSIVE, "");
  return ENGLISH_WORD.test(bare) ? stemmer(bare) : bare;
}

/**
 * What goes into full-text columns and queries: the words of the text without stop words, English ones stemmed, joined
 * by spaces. A text of stop words alone keeps them.
 *
 * @example indexWords("She was painting the boats") // "paint boat"
 */
export function indexWords(text: string): string {
  return contentStems(text).join(" ");
}
