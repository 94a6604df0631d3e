import { describe, expect, it } from "vitest";
import { checkItem, fidelityOf, type GuardOptions } from "../../../src/stages/extract/index.js";
import { item } from "../consolidate/fixtures.js";
import { turn } from "./fixtures.js";

const question = turn("Bram", "Where do you live?", { dialogueId: "q" });
const said = turn("Ilse", "I don't live in Dunmore. My code is 4417, yesterday I met Maren.", { dialogueId: "a" });
const chinese = turn("小雨", "我不喜欢榴莲，密码是4417。", { dialogueId: "z" });
const TURNS = [question, said, chinese];

function codes(text: string, over: Parameters<typeof item>[1] = {}, options: GuardOptions = {}): string[] {
  const { ok, problems } = checkItem(item(text, { sourceIds: ["a"], ...over }), TURNS, [], options);
  expect(ok).toBe(problems.length === 0);
  return problems.map(({ code }) => code);
}

describe("checkItem", () => {
  it.each([
    ["Ilse does not live in Dunmore.", "a"],
    ["Ilse's code is 4417.", "a"],
    ["Ilse met Maren on 4 November 2024.", "a"],
    ["Ilse met Maren on 2024-11-04.", "a"],
    ["小雨不喜欢榴莲。", "z"],
    ["小雨的密码是4417。", "z"],
  ])("lets pass: %s", (text, source) => {
    expect(codes(text, { sourceIds: [source] })).toEqual([]);
  });

  it.each([
    ["", "blank"],
    [" … ", "blank"],
    ["Ilse met Maren\uD83D", "not_well_formed"],
    ["Ilse met Maren\u0007", "not_well_formed"],
    ["She met Maren.", "bare_pronoun"],
    ["I met Maren.", "bare_pronoun"],
    ["Ilse met Maren yesterday.", "relative_time"],
    ["Ilse's code is 7714.", "ungrounded_number"],
    ["Ilse met Odo Varga.", "ungrounded_name"],
    ["Ilse lives in Dunmore.", "lost_negation"],
    ["Ilse met Maren on 2024-02-31.", "invalid_date"],
    ["Ilse does not live in Dunmore unless it rains.", "added_condition"],
  ])("%j is %s", (text, code) => {
    expect(codes(text)).toContain(code);
  });

  it.each([
    ["小雨喜欢榴莲。", "lost_negation"],
    ["她不喜欢榴莲。", "bare_pronoun"],
    ["小雨昨天不喜欢榴莲。", "relative_time"],
    ["小雨的密码是7714。", "ungrounded_number"],
  ])("%s is %s", (text, code) => {
    expect(codes(text, { sourceIds: ["z"] })).toContain(code);
  });

  it.each([
    ["Ilse likes figs.", "Do you like figs?", ["only_asked"]],
    ["Ilse prefers to prune figs in May.", "How do I prune figs in May?", ["only_asked"]],
    ["Ilse loves pruning figs.", "When are figs pruned?", ["only_asked"]],
    ["Ilse prefers tea.", "Tea or coffee? What do you prefer?", ["only_asked"]],
    ["小雨喜欢榴莲。", "你喜欢榴莲吗？", ["only_asked"]],
    ["小雨对花生过敏。", "有人对花生过敏吗？", ["only_asked"]],
    ["Ilse loves figs.", "Why do I love figs so much?", []],
    ["Ilse asked whether Bram likes figs.", "Does Bram like figs?", []],
    ["Ilse likes figs.", "I like figs. Do you?", []],
    ["Ilse prunes figs.", "Who prunes figs?", []],
    ["小雨问是否有人喜欢榴莲。", "有人喜欢榴莲吗？", []],
  ])("a question is no preference: %s ← %s", (text, content, expected) => {
    const [asked] = [turn(text.startsWith("小雨") ? "小雨" : "Ilse", content, { dialogueId: "x" })];
    const bram = turn("Bram", "Fine.", { dialogueId: "y" });
    const { problems } = checkItem(item(text, { sourceIds: ["x"] }), [asked, bram], []);
    expect(problems.map(({ code }) => code)).toEqual(expected);
  });

  it("refuses sources that are not of the window, and none at all", () => {
    expect(codes("Ilse met Maren.", { sourceIds: ["nowhere"] })).toContain("unknown_source");
    expect(codes("Ilse met Maren.", { sourceIds: [] })).toContain("unknown_source");
  });

  it("refuses times that are none, or that end before they begin", () => {
    expect(codes("Ilse met Maren.", { timestamp: "soon" })).toEqual(["invalid_date"]);
    expect(codes("Ilse met Maren.", { timestampEnd: "2024-11-04T00:00:00.000Z" })).toEqual(["invalid_date"]);
    const reversed = { timestamp: "2024-11-04T00:00:00.000Z", timestampEnd: "2024-11-03T00:00:00.000Z" };
    expect(codes("Ilse met Maren.", reversed)).toEqual(["invalid_date"]);
  });

  it("refuses a person that no turn names, and takes one from a neighbouring fact", () => {
    expect(codes("Ilse met Maren.", { persons: ["Odo"] })).toContain("ungrounded_name");
    expect(codes("Ilse met Maren.", { persons: ["Odo"] }, { neighbours: ["Odo is Maren's son."] })).toEqual([]);
  });

  it("refuses a date where no turn speaks of a time", () => {
    const plain = [turn("Ilse", "I met Maren.", { dialogueId: "p" })];
    const dated = (text: string) => checkItem(item(text, { sourceIds: ["p"] }), plain, []).problems;
    expect(dated("Ilse met Maren on 2023-07-01.")).toHaveLength(1);
    expect(dated("As of 2024-11-05, Ilse has met Maren.")).toEqual([]);
  });

  it("refuses what was copied from the prompt, unless a turn says it", () => {
    const promptTexts = ["Example: Ilse met Maren in the harbour. Ilse's code is 4417."];
    expect(codes("Ilse met Maren in the harbour.", {}, { promptTexts })).toContain("from_prompt");
    const echo = [turn("Ilse", "Ilse met Maren in the harbour.", { dialogueId: "e" })];
    const { problems } = checkItem(item("Ilse met Maren in the harbour.", { sourceIds: ["e"] }), echo, [], {
      promptTexts,
    });
    expect(problems).toEqual([]);
  });
});

describe("fidelityOf", () => {
  it("counts numbers, dates, names and negations of the turns that have items", () => {
    const all = item("Ilse does not live in Dunmore; Ilse's code is 4417; Ilse met Maren on 4 November 2024.", {
      sourceIds: ["a"],
    });
    const full = fidelityOf(TURNS, [all]);
    expect(full.kept).toBe(full.total);
    expect(full.total).toBeGreaterThanOrEqual(3);
    const poor = fidelityOf(TURNS, [item("Ilse has a code.", { sourceIds: ["a"] })]);
    expect(poor).toEqual({ kept: 0, total: full.total });
  });

  it("counts nothing for turns without items", () => {
    expect(fidelityOf(TURNS, [])).toEqual({ kept: 0, total: 0 });
  });
});
