import { describe, expect, it } from "vitest";
import { emptyUsage, type Hit, type Plan, SILENT_LOGGER } from "../../src/records/index.js";
import { type AnswerInput, createLlmAnswerer } from "../../src/stages/answer/index.js";
import { createLlmConsolidator } from "../../src/stages/consolidate/index.js";
import { createLlmExtractor } from "../../src/stages/extract/index.js";
import { createLlmPlanner } from "../../src/stages/plan/index.js";
import { createLlmReflector } from "../../src/stages/reflect/index.js";
import { WINDOW } from "../fixtures/window.js";
import { ScriptedModel } from "../support/fakes.js";
import { recorded } from "../support/replies.js";
import { entry, item } from "./consolidate/fixtures.js";

const newRun = () => ({ usage: emptyUsage(), logger: SILENT_LOGGER, now: () => Date.parse("2026-09-25T12:00:00Z") });

async function extract(...replies: string[]) {
  const model = new ScriptedModel(replies);
  const output = await createLlmExtractor({ model }).extract(WINDOW, newRun());
  return { ...output, model, texts: output.items.map((item) => item.losslessRestatement) };
}

describe("extraction from one window of pronouns, dates, negations, Chinese and small talk", () => {
  it("takes every entry of a strict model, in one call, each with the line that proves it", async () => {
    const { items, rejections, openQuestions, model } = await extract(recorded("extract-strict.json"));
    expect(items.map((item) => item.sourceIds)).toEqual([["t1"], ["t3"], ["t4"], ["t4"], ["t7"]]);
    expect(items.map((item) => item.attributes.doubt)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(items[0]?.timestamp).toBe("2024-11-10T23:00:00.000Z");
    expect(items[3]?.timestamp).toBe("2024-10-31T16:00:00.000Z");
    expect([rejections, model.calls]).toEqual([[], 1]);
    expect(openQuestions).toEqual(["Which flat does Ilse Corrin mean?"]);
  });

  it("mends what a naive model wrote, in a second call, and rejects what nobody said (R13 R27 R44 R45)", async () => {
    const { items, texts, rejections, model } = await extract(
      recorded("extract-naive.txt"),
      recorded("extract-naive-mended.txt"),
    );
    expect(model.calls).toBe(2);
    expect(texts).toEqual([
      "Maren Corrin starts her job in Skerrow on 11 November 2024.",
      "Ilse Corrin will not rent the flat unless the rent stays under 600 euros.",
      "林若对花生过敏。",
      expect.stringMatching(/^Bram Otway sold his red kayak (?:on )?\S*4\S* ?(?:November )?/),
    ]);
    expect(items.map((item) => item.attributes.doubt)).toEqual([undefined, undefined, undefined, undefined]);
    expect(rejections.map(({ reason }) => reason.split(":")[0]).sort()).toEqual([
      "from_prompt",
      "not_an_entry",
      "not_said_by_user",
    ]);
  });

  it("keeps what cannot be mended as doubtful, and says why (R44)", async () => {
    const { items } = await extract(recorded("extract-naive.txt"), "I cannot do better.");
    expect(items.map((item) => item.attributes.doubt)).toEqual([
      "bare_pronoun",
      expect.any(String),
      "translated",
      undefined,
    ]);
    expect(Math.max(...items.slice(0, 3).map((item) => item.confidence))).toBeLessThan(0.9);
  });

  it("asks by halves when a reply is cut off, and stores nothing of the cut one (R07)", async () => {
    const strict = JSON.parse(recorded("extract-strict.json"));
    const half = (from: number, to: number) => JSON.stringify({ ...strict, entries: strict.entries.slice(from, to) });
    const { items, incomplete, model } = await extract(recorded("extract-cut.txt"), half(0, 4), half(4, 5));
    expect([items.length, incomplete, model.calls]).toEqual([5, false, 3]);
  });
});

describe("a comparison with what is known", () => {
  const known = [
    entry("Maren Corrin works in a shop in Skerrow", { persons: ["Maren Corrin"], entryId: "shop" }),
    entry("Maren Corrin rows on Sundays", { persons: ["Maren Corrin"], entryId: "rows" }),
  ];
  const items = ["Maren Corrin works in a clinic in Skerrow", "Maren Corrin knits"].map((text, index) => ({
    entryId: `new${index}`,
    item: item(text, { persons: ["Maren Corrin"] }),
    candidates: known.map((one) => ({ entry: one, similarity: 0.9 })),
  }));
  const compare = (name: string) =>
    createLlmConsolidator({ model: new ScriptedModel([recorded(name)]) }).consolidate({ items }, newRun());

  it("does what a strict model asks for, each operation by its numbers", async () => {
    expect(await compare("consolidate-strict.json")).toEqual({
      decisions: [{ op: "supersede", target: "shop" }, { op: "add" }],
      decidedBy: ["model", "model"],
      rejections: [],
    });
  });

  it("does of a naive model's what can be proven, and counts the rest (R16 R49)", async () => {
    const { decisions, rejections } = await compare("consolidate-naive.txt");
    expect(decisions).toEqual([{ op: "add" }, { op: "add" }]);
    expect(rejections).toHaveLength(5);
  });
});

describe("a comparison with plans", () => {
  const MAREN = { persons: ["Maren Corrin"] };
  const plan = (entryId: string, text: string) => entry(text, { ...MAREN, entryId, kind: "plan" });
  const known = [
    plan("paint", "Maren Corrin plans to repaint the wheelhouse of the boat Tern before Easter 2025."),
    plan("mill", "Maren Corrin wants to take Bram to the tide mill in March 2025."),
    entry("Maren Corrin works in a shop in Skerrow.", { ...MAREN, entryId: "shop" }),
    plan("course", "Maren Corrin will enrol in the navigation course in autumn 2025."),
  ];
  const told = [
    "The wheelhouse of the Tern has had its new coat of paint, Maren Corrin finished it on 2 April 2025.",
    "Maren Corrin no longer goes to the tide mill with Bram, since it closed.",
    "Maren Corrin is looking forward to the navigation course.",
    "Maren Corrin starts at a clinic in Skerrow instead of the shop on 5 May 2025.",
    "Maren Corrin bought paint for the fence.",
  ];

  it("ends those that were carried out or called off, and leaves the others alone", async () => {
    const items = told.map((text, index) => ({
      entryId: `new${index}`,
      item: item(text, { ...MAREN, mentionedAt: "2025-04-05T10:00:00.000Z" }),
      candidates: known.map((one) => ({ entry: one, similarity: 0.8 })),
    }));
    const model = new ScriptedModel([recorded("consolidate-plans.json")]);
    const { decisions, rejections } = await createLlmConsolidator({ model }).consolidate({ items }, newRun());
    expect(decisions).toEqual([
      { op: "done", target: "paint" },
      { op: "supersede", target: "mill" },
      { op: "add" },
      { op: "supersede", target: "shop" },
      { op: "add" },
    ]);
    expect(rejections).toEqual([]);
  });
});

const PLAN: Plan = {
  question: "When does she start there?",
  queries: ["When does she start there?"],
  keywords: ["start"],
  persons: ["Maren Corrin"],
  entities: [],
  location: null,
  timeRange: null,
  questionType: "when",
  complexity: 0.6,
  depth: 8,
  source: "rules",
};
const HIT: Hit = {
  id: "e1",
  kind: "entry",
  text: "Maren Corrin starts her job in Skerrow on 11 November 2024.",
  score: 0.9,
  views: ["semantic"],
  sourceIds: ["t1"],
  timestamp: "2024-11-10T23:00:00.000Z",
  persons: ["Maren Corrin"],
  speaker: "Ilse Corrin",
  sessionId: "s",
};

function plan(reply: string): Promise<Plan> {
  const input = {
    question: PLAN.question,
    recent: WINDOW.context,
    knownPersons: ["Maren Corrin"],
    now: "2024-11-06T10:00:00.000Z",
    timeZone: "UTC",
  };
  return createLlmPlanner({ model: new ScriptedModel([reply]) }).plan(input, newRun());
}

describe("a plan", () => {
  it("names whom the question points to", async () => {
    const { queries, persons, location } = await plan(recorded("plan-strict.json"));
    expect(queries).toEqual([PLAN.question, "Maren starts her job in Skerrow"]);
    expect([persons, location]).toEqual([["Maren Corrin"], "Skerrow"]);
  });

  it("takes from a naive model what can be used: the question first, four queries at most, no time that is none", async () => {
    const { queries, timeRange, questionType, depth } = await plan(recorded("plan-naive.txt"));
    expect(queries).toEqual([PLAN.question, "Maren Skerrow", "Maren job", "Maren Monday"]);
    expect([timeRange, questionType]).toEqual([null, "when"]);
    expect(depth).toBeGreaterThanOrEqual(3);
  });
});

describe("a reflection", () => {
  const reflect = (reply: string, hits: readonly Hit[] = []) =>
    createLlmReflector({ model: new ScriptedModel([reply]) }).reflect({ plan: PLAN, hits }, newRun());

  it("asks for exactly what is missing", async () => {
    expect((await reflect(recorded("reflect-strict.json"))).queries).toEqual(["Maren Corrin first day of work"]);
    expect((await reflect(recorded("reflect-naive.txt"))).queries).toEqual(["the day on which Maren starts"]);
  });

  it("asks for nothing when it is satisfied, nor for what was searched already", async () => {
    const again = '{"sufficient":false,"missing":["x"],"queries":["when does she  start THERE?"]}';
    expect((await reflect(again)).queries).toEqual([]);
    const satisfied = '{"sufficient":true,"missing":["x"],"queries":["y"]}';
    expect(await reflect(satisfied, [HIT])).toEqual({ sufficient: true, missing: [], queries: [] });
  });
});

const INPUT: AnswerInput = {
  question: PLAN.question,
  plan: PLAN,
  hits: [HIT],
  contextBlock: "1. Maren Corrin starts her job in Skerrow on 11 November 2024.",
  timeZone: "UTC",
};
const answer = (reply: string, input = INPUT) =>
  createLlmAnswerer({ model: new ScriptedModel([reply]) }).answer(input, newRun());

describe("an answer", () => {
  it.each(["answer-strict.json", "answer-naive.txt"])("cites what exists, and nothing else: %s", async (name) => {
    expect(await answer(recorded(name))).toMatchObject({
      answer: "On 11 November 2024.",
      abstained: false,
      citedIds: ["e1"],
    });
  });

  it("abstains with the model's reason, or with one in the question's language", async () => {
    expect(await answer(recorded("answer-abstained.json"))).toEqual({
      answer: "",
      abstained: true,
      reason: "The memories tell of Maren's job, not of her salary.",
      confidence: 0,
      citedIds: [],
    });
    const silent = await answer('{"answer":" ","abstained":false}', { ...INPUT, question: "玛伦的工资是多少？" });
    expect(silent).toMatchObject({ abstained: true, reason: "记忆中没有相关内容。" });
  });

  it("doubts an answer without proof, and lets the rules answer when the reply cannot be used", async () => {
    const unproven = await answer('{"answer":"On Monday.","abstained":false,"confidence":1,"citations":[4]}');
    expect(unproven).toMatchObject({ citedIds: [], confidence: 0.3 });
    expect((await answer("I would rather chat.")).citedIds).toEqual(["e1"]);
  });

  it("streams its words, without thoughts and without the line of sources", async () => {
    const stream = createLlmAnswerer({ model: new ScriptedModel([recorded("answer-stream.txt")]) }).stream;
    const pieces: string[] = [];
    const generator = stream?.(INPUT, newRun());
    let next = await generator?.next();
    for (; next !== undefined && next.done !== true; next = await generator?.next()) pieces.push(String(next.value));
    expect(pieces.join("")).toBe("On 11 November 2024.");
    expect(next?.value).toMatchObject({ answer: "On 11 November 2024.", citedIds: ["e1"] });
  });
});
