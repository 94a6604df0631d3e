import { describe, expect, it } from "vitest";
import { keywordsOf } from "../../../src/stages/extract/describe.js";
import { topicOf } from "../../../src/stages/extract/topics.js";

const NAMES = ["Ilse", "Bram", "Ane", "Mira", "小雨"];

describe("topicOf", () => {
  it.each([
    ["Ilse's sister Ane restores clocks.", "clocks"],
    ["Ane restores old furniture in Dunmore.", "furniture"],
    ["Bram repairs bikes", "bikes"],
    ["Bram often repairs bikes", "bikes"],
    ["She practises the violin", "violin"],
    ["The user loves figs", "figs"],
    ["Ilse plays the cello every Friday.", "cello"],
    ["Ilse enjoys hiking", "hiking"],
    ["Ilse adopted a greyhound.", "greyhound"],
    ["The museum closes at 5 pm.", "museum"],
    ["Ilse works at the bakery as a bookbinder.", "bakery"],
    ["Ilse will visit the dentist on 6 November 2024.", "dentist"],
    ["Ilse's rent is $600 a month.", "rent"],
    ["Ilse can't eat walnuts because Ilse is allergic.", "walnuts"],
    ["Ilse painted a really big mural on the wall", "mural"],
    ["Ilse decided to sell the boat", "boat"],
    ["Ilse wants Bram to book the train.", "train"],
    ["Ilse has three cats.", "cats"],
    ["Mira makes rolls, and people queue for them.", "rolls"],
    ["Ilse quit smoking; that was hard work.", "smoking"],
    ["Ilse never flies", null],
    ["Ilse met Bram on Friday", null],
    ["小雨喜欢吃榴莲。", "榴莲"],
    ["小雨的储物柜密码是4417。", "密码"],
    ["小雨明天要去出差。", "出差"],
    ["小雨昨天决定", null],
  ])("%s → %s", (text, topic) => {
    expect(topicOf(text, keywordsOf(text, NAMES), NAMES)).toBe(topic);
  });
});
