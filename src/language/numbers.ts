const CODE = /(?<![\p{L}\d])(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*(?![\p{L}\d])/gu;
const DIGITS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)*/gu;
const FULL_WIDTH_PUNCTUATION = /(?<=\d)[，](?=\d{3})/gu;

const UNITS: Readonly<Record<string, number>> = Object.freeze({
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
});
const SCALES: Readonly<Record<string, number>> = Object.freeze({
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
});
const NUMBER_WORD = `(?:${[...Object.keys(UNITS), ...Object.keys(SCALES)].join("|")})`;
const SPELLED = new RegExp(`\\b${NUMBER_WORD}(?:(?:[\\s-]+and[\\s-]+|[\\s-]+)${NUMBER_WORD})*\\b`, "giu");
/** A cheap sign that a number may be spelled: none of the words lacks all of these. */
const SPELLED_HINT = /\b(?:one|tw[eo]|t(?:en|hi|hr|hou)|f(?:if|iv|or|ou)|six|sev|eig|ele|nin|hun|mil|bil)/iu;
const ASCII = /^\p{ASCII}*$/u;
const CHINESE_NUMBER = /[零〇一二两三四五六七八九十百千万亿]+(?=[个块元岁年月日号点人次天周只本名位斤公里美%])/gu;
const CHINESE_DIGITS = "零一二三四五六七八九";
const CHINESE_SCALES: Readonly<Record<string, number>> = Object.freeze({ 十: 10, 百: 100, 千: 1000, 万: 1e4, 亿: 1e8 });

/** The value of spelled English words such as "twenty-five thousand"; null when a word is not a number. */
export function spelledNumber(words: string): number | null {
  let total = 0;
  let current = 0;
  for (const word of words.toLowerCase().split(/[\s-]+/u)) {
    if (word === "and") continue;
    const unit = UNITS[word];
    const scale = SCALES[word];
    if (unit !== undefined) current += unit;
    else if (scale === undefined) return null;
    else if (scale === 100) current = Math.max(current, 1) * scale;
    else {
      total += Math.max(current, 1) * scale;
      current = 0;
    }
  }
  return total + current;
}

/** The value of a number in Chinese characters or digits; null when it is none. */
export function chineseNumber(text: string): number | null {
  if (/^\d+$/u.test(text)) return Number(text);
  if (/^[零〇一二三四五六七八九]{2,}$/u.test(text)) {
    return Number([...text].map((character) => digitOf(character)).join(""));
  }
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const character of text) {
    const scale = CHINESE_SCALES[character];
    if (scale === undefined) {
      digit = digitOf(character);
      if (digit < 0) return null;
    } else if (scale >= 1e4) {
      total = (total + section + digit) * scale;
      section = 0;
      digit = 0;
    } else {
      section += (digit === 0 ? 1 : digit) * scale;
      digit = 0;
    }
  }
  return text === "" ? null : total + section + digit;
}

function digitOf(character: string): number {
  if (character === "两") return 2;
  return CHINESE_DIGITS.indexOf(character === "〇" ? "零" : character);
}

/**
 * The numbers, amounts and codes of a text, normalised and without repeats: "1,200" → "1200", "twenty-five" → "25",
 * "ORD-4417" → "ORD-4417". Currency signs and units are left out.
 */
export function findNumbers(text: string): string[] {
  const found = new Set<string>();
  const isAscii = ASCII.test(text);
  let rest = isAscii ? text : text.normalize("NFKC").replace(FULL_WIDTH_PUNCTUATION, ",");
  if (/\d/u.test(rest)) {
    for (const [code] of rest.matchAll(CODE)) found.add(code);
    rest = rest.replace(CODE, " ");
    for (const [number] of rest.matchAll(DIGITS)) found.add(number.replaceAll(",", ""));
  }
  for (const [words] of SPELLED_HINT.test(rest) ? rest.matchAll(SPELLED) : []) {
    // A lone "one" is a pronoun more often than a count.
    const value = words.toLowerCase() === "one" ? null : spelledNumber(words);
    if (value !== null) found.add(String(value));
  }
  for (const [words] of isAscii ? [] : rest.matchAll(CHINESE_NUMBER)) {
    const value = chineseNumber(words);
    if (value !== null) found.add(String(value));
  }
  return [...found];
}
