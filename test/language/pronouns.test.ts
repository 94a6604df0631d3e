import { describe, expect, it } from "vitest";
import { hasBarePronoun, resolvePronouns } from "../../src/language/index.js";

const WHO = { speaker: "Ilse", addressee: "Bo", antecedent: "Tom" };

describe("resolvePronouns writes names with verbs that agree", () => {
  it.each([
    ["I'm happy", "Ilse is happy"],
    ["I’ve just been promoted", "Ilse has just been promoted"],
    ["I'll call", "Ilse will call"],
    ["I'd love to go", "Ilse would love to go"],
    ["I'd been to Rome", "Ilse had been to Rome"],
    ["I love my dog", "Ilse loves Ilse's dog"],
    ["I have two cats", "Ilse has two cats"],
    ["I don't eat meat", "Ilse does not eat meat"],
    ["I was there", "Ilse was there"],
    ["I went home", "Ilse went home"],
    ["I painted a boat", "Ilse painted a boat"],
    ["I can swim", "Ilse can swim"],
    ["I try to study", "Ilse tries to study"],
    ["I need tea", "Ilse needs tea"],
    ["I really want that book", "Ilse really wants that book"],
    ["I swim and run", "Ilse swims and runs"],
    ["Tom and I are friends", "Tom and Ilse are friends"],
    ["a friend of mine", "a friend of Ilse's"],
    ["He called me", "Tom called Ilse"],
    ["We went to our house", "Ilse and others went to Ilse and others' house"],
    ["you were right", "Bo was right"],
    ["I hope you have fun", "Ilse hopes Bo has fun"],
    ["I like your car", "Ilse likes Bo's car"],
    ["Do you like tea?", "Does Bo like tea?"],
    ["Am I late?", "Is Ilse late?"],
    ["Can I help you?", "Can Ilse help Bo?"],
    ["he's been sick", "Tom has been sick"],
    ["I saw her yesterday", "Ilse saw Tom yesterday"],
    ["her sister is ill", "Tom's sister is ill"],
    ["They love pizza", "Tom loves pizza"],
    ['"I love you", I said', '"I love you", Ilse said'],
    ["World War I was long in the US", "World War I was long in the US"],
    ["我喜欢我的狗", "Ilse喜欢Ilse的狗"],
    ["你什么时候来", "Bo什么时候来"],
    ["他说其他人", "Tom说其他人"],
    ["我们去了", "Ilse等人去了"],
  ])("%s", (text, expected) => {
    expect(resolvePronouns(text, WHO)).toEqual({ text: expected, unresolved: [] });
  });

  it("names the group when it is known", () => {
    expect(resolvePronouns("We met", { ...WHO, group: ["Bo", "Tom"] }).text).toBe("Ilse, Bo and Tom met");
  });

  it.each([
    ["He came to your party", "He came to your party", ["He", "your"]],
    ["My brother came and he was late", "Ilse's brother came and he was late", ["he"]],
    ["It was fun", "It was fun", ["It"]],
    ["他来了", "他来了", ["他"]],
  ])("leaves and lists what is unclear: %s", (text, expected, unresolved) => {
    const who = { speaker: "Ilse", addressee: null, antecedent: null };
    expect(resolvePronouns(text, who)).toEqual({ text: expected, unresolved });
  });
});

describe("hasBarePronoun", () => {
  it.each([
    ["I left", true],
    ["Ilse met her", true],
    ["That was great", true],
    ["她走了", true],
    ["Ilse lives in the US", false],
    ["Ilse left in May", false],
    ['Ilse said "I love you"', false],
    ["the coal mine", false],
    ["其他人喜欢吉他", false],
  ])("%s: %s", (text, expected) => {
    expect(hasBarePronoun(text)).toBe(expected);
  });
});
