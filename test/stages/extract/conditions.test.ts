import { describe, expect, it } from "vitest";
import { addsCondition, conditionalsIn, dropsCondition } from "../../../src/stages/extract/conditions.js";

const drops = (text: string, said: string): boolean => conditionalsIn(said).some((one) => dropsCondition(text, one));

describe("a condition that was said is not left out", () => {
  it.each([
    ["Ilse will rent the flat in May.", "I'll rent the flat in May if the rent stays under 600 euros."],
    ["Ilse will not rent the flat.", "I won't rent the flat unless the rent stays under 600 euros."],
    ["Ilse will sell the boat.", "If Bram agrees, I'll sell the boat."],
    ["Ilse will sell the boat.", "The harbour is full, but if Bram agrees, I will sell the boat."],
    ["Ilse will sell the boat.", "I will sell the boat, provided that Bram agrees."],
    ["Ilse eats everything.", "I eat everything except walnuts."],
    ["Ilse keeps the workshop.", "I keep the workshop as long as my mother pays the heating."],
    ["Ilse packs a tent.", "I pack a tent in case the hostel is closed."],
    ["Ilse takes the train home.", "Unless the bridge opens again, I take the train home."],
    ["小雨不去爬山。", "如果下雨，我就不去爬山。"],
    ["小雨卖掉房子。", "除非房租下降，我卖掉房子。"],
    ["小雨会搬家。", "我会搬家，只要公司同意。"],
  ])("%s ← %s", (text, said) => {
    expect(drops(text, said)).toBe(true);
  });
});

describe("an entry that keeps it, or is about something else, is left alone", () => {
  it.each([
    [
      "Ilse will rent the flat if the rent stays under 600 euros.",
      "I'll rent the flat if the rent stays under 600 euros.",
    ],
    [
      "Ilse will rent the flat once its rent stays under 600 euros.",
      "I'll rent the flat if the rent stays under 600 euros.",
    ],
    ["The harbour is full.", "The harbour is full, but if Bram agrees, I will sell the boat."],
    ["Ilse likes the flat.", "I like the flat. If the rent rises, I'll move."],
    ["Ilse wonders whether Bram comes to Skerrow.", "I wonder if Bram comes to Skerrow."],
    ["Ilse goes to the fair in any weather.", "I go to the fair even if it rains."],
    ["Ilse works in Dunmore.", "I work in Dunmore until Friday."],
    ["Ilse asked about the boat.", "Will you sell the boat if Bram agrees?"],
    ["Ilse rows.", "I row."],
    ["如果下雨，小雨不去爬山。", "如果下雨，我就不去爬山。"],
    ["小雨喜欢爬山。", "我喜欢爬山。如果下雨，我就看书。"],
    ["即使下雨小雨也去爬山。", "即使下雨，我也去爬山。"],
  ])("%s ← %s", (text, said) => {
    expect(drops(text, said)).toBe(false);
  });
});

it.each([
  ["Ilse will sell the boat if Bram agrees.", "I will sell the boat.", true],
  ["Ilse eats everything except walnuts.", "I eat everything.", true],
  ["如果下雨，小雨不去爬山。", "我不去爬山。", true],
  ["Ilse will sell the boat if Bram agrees.", "I will sell the boat when Bram agrees.", false],
  ["Ilse would move if she found a larger kitchen.", "For a larger kitchen I would move.", false],
  ["Ilse asked if the boat is for sale.", "Is the boat for sale?", false],
  ["如果下雨，小雨不去爬山。", "下雨我就不去爬山。", false],
])("a condition that nobody set is noticed: %s ← %s", (text, said, isAdded) => {
  expect(addsCondition(text, [said])).toBe(isAdded);
});
