import { FakeListChatModel } from "@langchain/core/utils/testing";
import { describe, expect, it } from "vitest";
import type { Asked } from "../../src/eval/ask.js";
import { judgeAnswers } from "../../src/eval/judge.js";
import { answerRows } from "../../src/eval/summary.js";
import { emptyUsage } from "../../src/records/index.js";

function asked(gold: string | null, given: string): Asked {
  const usage = emptyUsage();
  return {
    conversation: "one",
    question: { question: "Where does Ilse live?", category: "own", answer: gold, evidence: [] },
    hits: [],
    ms: 1,
    usage,
    answer: { answer: given, abstained: given === "", confidence: 1, citations: [], hits: [], usage },
  };
}

describe("a model as judge", () => {
  it("is asked about given answers only; an abstention is wrong, and what has no answer is not judged", async () => {
    const questions = [asked("Graz", "in Graz"), asked("Graz", "Porthaven"), asked("Graz", ""), asked(null, "Graz")];
    const verdicts = await judgeAnswers(questions, new FakeListChatModel({ responses: ["Yes.", "NO"] }));
    expect(questions.map((one) => verdicts.get(one))).toEqual([true, false, false, undefined]);
    const [all] = answerRows(questions, 1, verdicts);
    expect(all?.questions).toBe(3);
    expect(all?.measures.judgedRight?.mean).toBeCloseTo(1 / 3);
    expect(all?.measures.answered?.mean).toBeCloseTo(2 / 3);
  });
});
