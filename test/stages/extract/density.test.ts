import { describe, expect, it } from "vitest";
import {
  DEFAULT_DENSITY_THRESHOLD,
  informationGain,
  isUnderThreshold,
  windowGain,
} from "../../../src/stages/extract/index.js";
import { turn } from "./fixtures.js";

const speakers = ["Ilse", "Bram"];

describe("informationGain", () => {
  it.each(["Hi!", "Thanks, Bram!", "Sounds great!", "ok", "😂😂", "", "Good morning, Ilse!", "谢谢！", "好的", "晚安"])(
    "%j is under the threshold",
    (text) => {
      expect(isUnderThreshold(informationGain(text, { speakers }))).toBe(true);
    },
  );

  it.each([
    "4417",
    "Thanks, it was $40",
    "ok, on Friday",
    "See you in Skerrow",
    "Yes, Maren did",
    "I smoke",
    "好的，三个",
    "明天见",
    "我过敏",
  ])("%j passes", (text) => {
    expect(isUnderThreshold(informationGain(text, { speakers }))).toBe(false);
  });

  it("stays within 0 and 1, and falls for words that were said before", () => {
    const text = "The greenhouse tomatoes need watering";
    const gain = informationGain(text);
    expect(gain).toBeGreaterThan(DEFAULT_DENSITY_THRESHOLD);
    expect(gain).toBeLessThanOrEqual(1);
    expect(informationGain(text, { said: new Set(["greenhous", "tomato", "need", "water"]) })).toBeLessThan(gain);
  });

  it("takes a window for as telling as its most telling turn", () => {
    expect(windowGain([turn("Ilse", "Hi!"), turn("Bram", "Thanks!")])).toBe(0);
    expect(windowGain([turn("Ilse", "Hi!"), turn("Bram", "I sold the loom")])).toBeGreaterThan(0.35);
    expect(windowGain([])).toBe(0);
  });
});
