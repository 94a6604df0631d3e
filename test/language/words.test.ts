import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contentStems,
  detectLanguage,
  findConditions,
  findNumbers,
  hasNegation,
  indexWords,
  segmentWords,
  splitSentences,
} from "../../src/language/index.js";
import { cutWords } from "../../src/language/word-cutter.js";

describe("splitSentences", () => {
  it.each([
    ["Dr. Ito paid 3.50. She left.", ["Dr. Ito paid 3.50.", "She left."]],
    ["She left... then came. Ok?", ["She left... then came.", "Ok?"]],
    ["See https://a.b/c.d?x=1 now. Yes!", ["See https://a.b/c.d?x=1 now.", "Yes!"]],
    ["你好！我是。", ["你好！", "我是。"]],
    ["one\ntwo", ["one", "two"]],
    ["const a = 1. foo();", ["const a = 1. foo();"]],
    ["It was 5 p.m. She slept.", ["It was 5 p.m.", "She slept."]],
    ["", []],
  ])("%j", (text, expected) => {
    expect(splitSentences(text)).toEqual(expected);
  });
});

describe("words", () => {
  it("finds single characters of Chinese words", () => {
    expect(segmentWords("我喜欢北京")).toEqual(expect.arrayContaining(["喜欢", "北京", "京"]));
  });
  it("keeps addresses, handles, ids and digits", () => {
    expect(segmentWords("Bob@X.com @mel ORD-4417 ４４１７")).toEqual(
      expect.arrayContaining(["bob@x.com", "@mel", "ord-4417", "4417"]),
    );
  });
  it.each([
    ["She was painting the boats", "paint boat"],
    ["to be or not", "to be or not"],
    ["", ""],
  ])("indexes %j as %j", (text, expected) => {
    expect(indexWords(text)).toBe(expected);
    expect(contentStems(text).join(" ")).toBe(expected);
  });
  it.each([
    ["I love tea", "en"],
    ["我用iPhone", "zh"],
    ["こんにちは世界", "other"],
    ["Das Mädchen hört Musik", "other"],
    ["123", "other"],
  ])("%s is %s", (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});

describe("numbers and polarity", () => {
  it.each([
    ["1,200 and $3.50", ["1200", "3.50"]],
    ["twenty-five cats", ["25"]],
    ["order ORD-4417", ["ORD-4417"]],
    ["三千元", ["3000"]],
    ["one of them", []],
  ])("numbers of %s", (text, expected) => {
    expect(findNumbers(text)).toEqual(expected);
  });
  it.each([
    ["I don't eat meat", true],
    ["I never go", true],
    ["No problem!", false],
    ["我不去", true],
    ["不过很好", false],
    ["I eat meat", false],
  ])("negation in %s: %s", (text, expected) => {
    expect(hasNegation(text)).toBe(expected);
  });
  it.each([
    ["if it rains", true],
    ["除非下雨", true],
    ["it rains", false],
  ])("condition in %s: %s", (text, expected) => {
    expect(findConditions(text)).toBe(expected);
  });
});

describe("words of plain text", () => {
  const CUTTER = new Intl.Segmenter("zh", { granularity: "word" });
  const byCutter = (text: string): string[] =>
    Array.from(CUTTER.segment(text))
      .filter(({ isWordLike }) => isWordLike === true)
      .map(({ segment }) => segment);
  // Without digits, "@", "#" and links, which are kept whole before the text is cut.
  const letters = fc.constantFrom(..."abzx_.':,;-/ \n\t\r\"()!?&–—“”€£".split(""));
  const piece = fc.oneof(letters, fc.constantFrom("don't ", "U.S. ", "a:b", "e.g. ", "__", "co-op "));

  it("are the ones that the word cutter finds", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const text = pieces.join("").toLowerCase();
        expect(segmentWords(text)).toEqual(byCutter(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("are the ones that the word cutter finds where digits meet marks and letters", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."09,;: ".split(""), "a", "b "), { maxLength: 10 }), (pieces) => {
        const text = pieces.join("");
        expect(segmentWords(text)).toEqual(byCutter(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("words of a long text", () => {
  const CUTTER = new Intl.Segmenter("zh", { granularity: "word" });
  const sentence = fc.constantFrom(
    "我昨天去了北京大学，",
    "见到了张伟。",
    "Tom bought 3 apples, ",
    "花了三百二十元！",
    "iPhone很贵；",
  );

  it("are the same as when it is cut in one go, where it has marks or blanks", () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 60, maxLength: 120 }), (sentences) => {
        const whole = sentences.join("");
        const words = Array.from(CUTTER.segment(whole)).filter(({ isWordLike }) => isWordLike === true);
        expect([...cutWords(whole)]).toEqual(words.map(({ segment }) => segment));
      }),
      { numRuns: 50 },
    );
  });

  it("never lose a character where it has none", () => {
    const whole = "我昨天去了北京大学见到了张伟".repeat(100);
    expect([...cutWords(whole)].join("")).toBe(whole);
  });
});
