import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerF1 } from "../../src/eval/answer-f1.js";

const plain = { stems: false };

describe("F1 of an answer", () => {
  it.each([
    ["The harbour.", "harbour", 1],
    ["on 7 May 2023", "7 May, 2023", 6 / 7],
    ["repairing clocks", "repairs clocks", 0.5],
    ["yes yes", "yes", 2 / 3],
    ["", "harbour", 0],
    ["an orchard", "the sea", 0],
  ])("%j against %j is %d", (given, gold, score) => {
    expect(answerF1(given, gold, plain)).toBeCloseTo(score);
  });

  it("counts forms of one word as one when stems are compared", () => {
    expect(answerF1("repairing clocks", "repairs clock", { stems: true })).toBe(1);
  });

  it("is the same both ways round", () => {
    const text = fc
      .array(fc.constantFrom("oak", "larch", "ash", "the"), { maxLength: 6 })
      .map((list) => list.join(" "));
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(answerF1(left, right, plain)).toBeCloseTo(answerF1(right, left, plain));
      }),
    );
  });
});
