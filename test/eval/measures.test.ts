import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Found, recallAt, recallWithin, retrievalScores, turnsInOrder } from "../../src/eval/measures.js";

const hit = (text: string, ...sourceIds: string[]): Found => ({ text, sourceIds });
const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");

const anyFound = fc.array(
  fc.record({ text: fc.string(), sourceIds: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 3 }) }),
  { maxLength: 12 },
);
const anyEvidence = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1 });

describe("measures of retrieval", () => {
  it("counts a turn once, at its first place, however many hits stand on it", () => {
    expect(turnsInOrder([hit("x", "a", "b"), hit("y", "b"), hit("z", "c", "a")])).toEqual(["a", "b", "c"]);
  });

  it("stops at k distinct turns, not at k hits", () => {
    const found = [hit("x", "a", "b"), hit("y", "b"), hit("z", "c")];
    expect(recallAt(found, ["c"], 2)).toBe(0);
    expect(recallAt(found, ["c"], 3)).toBe(1);
  });

  it("cuts a hit of several turns at k", () => {
    expect(recallAt([hit("x", "a", "b", "c")], ["a", "c"], 2)).toBe(0.5);
  });

  it("takes hits in order while words × 1.33 fit the budget, and none after the first that does not", () => {
    const found = [hit(words(300), "a"), hit(words(200), "b"), hit("short", "c")];
    expect(recallWithin(found, ["a", "b", "c"], 500)).toBeCloseTo(1 / 3);
    expect(recallWithin(found, ["a", "b", "c"], 1000)).toBe(1);
  });

  it("gives the reciprocal of the first evidence's place, and the share of evidence among the first five turns", () => {
    const found = ["a", "b", "c", "d", "e", "f"].map((id) => hit(id, id));
    const scores = retrievalScores(found, ["c", "e", "f"]);
    expect(scores.mrr).toBeCloseTo(1 / 3);
    expect(scores["precision@5"]).toBeCloseTo(2 / 5);
    expect(scores.sourcesPerHit).toBe(1);
  });

  it("never falls with a larger k or budget, and stays within 0 and 1", () => {
    fc.assert(
      fc.property(anyFound, anyEvidence, fc.nat(10), fc.nat(50), (found, evidence, k, budget) => {
        const [few, more] = [recallAt(found, evidence, k), recallAt(found, evidence, k + 1)];
        const [small, large] = [recallWithin(found, evidence, budget), recallWithin(found, evidence, budget + 5)];
        return few >= 0 && few <= more && more <= 1 && small >= 0 && small <= large && large <= 1;
      }),
    );
  });
});
