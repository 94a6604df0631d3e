import { describe, expect, it } from "vitest";
import { findNames } from "../../src/language/index.js";

describe("findNames", () => {
  it.each([
    ["Tom moved to Lisbon", ["Tom"], ["Lisbon"]],
    ["Hey Mel! Great to see you", ["Mel"], []],
    ["I met Sarah at the Bank of America", ["Sarah"], ["Bank of America"]],
    ["Dr. Chen said hi", ["Dr. Chen"], []],
    ["Ask @bo_k", ["@bo_k"], []],
    ["Write to bo@example.org", [], []],
    ['She read "The Great Gatsby" in May', [], ["The Great Gatsby"]],
    ["On Monday I bought an iPhone 15 and a Pixel 8", [], ["iPhone 15", "Pixel 8"]],
    ["We use GPT-4 and NASA data", [], ["GPT-4", "NASA"]],
    ["My friend Anna Lee works at Google", ["Anna Lee"], ["Google"]],
    ["I went to New York last Friday", [], ["New York"]],
    ["Yesterday Tom and Ilse went", ["Ilse Corrin", "Tom"], []],
    ["Painting is fun", [], []],
    ["Pottery is a huge part of it", [], []],
    ["Gina is moving to Sweden", ["Gina"], ["Sweden"]],
    ["Thanks, Jon. OK LOL", ["Jon"], []],
    ["I think I may go on Sunday", [], []],
    ["我和张伟去了北京大学", ["张伟"], ["北京大学"]],
    ["王老师说明天考试", ["王老师"], []],
    ["小李喜欢《三体》", ["小李"], ["三体"]],
    ["高兴地说明天方便", [], []],
  ])("%s", (text, persons, entities) => {
    expect(findNames(text, ["Ilse Corrin"])).toEqual({ persons, entities });
  });
});
