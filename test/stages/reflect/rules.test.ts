import { describe, expect, it } from "vitest";
import { emptyUsage, type Hit, type Plan, type QuestionType, SILENT_LOGGER } from "../../../src/records/index.js";
import { createRulePlanner } from "../../../src/stages/plan/index.js";
import { createRuleReflector } from "../../../src/stages/reflect/index.js";

const run = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };

function hit(text: string, persons: readonly string[] = []): Hit {
  return {
    id: text,
    kind: "turn",
    text,
    score: 0.5,
    views: ["episodic"],
    sourceIds: ["t1"],
    timestamp: null,
    persons,
    speaker: null,
    sessionId: "s1",
  };
}

async function planOf(question: string, questionType?: QuestionType): Promise<Plan> {
  const plan = await createRulePlanner().plan(
    { question, recent: [], knownPersons: ["Ilse", "小王"], now: "2025-06-10T09:00:00.000Z", timeZone: "UTC" },
    run,
  );
  return questionType === undefined ? plan : { ...plan, questionType };
}

describe("the rule reflector", () => {
  it.each([
    ["When did Ilse adopt the greyhound?", ["Ilse adopted a greyhound on 3 May 2025."]],
    ["Where does Ilse work?", ["Ilse works in Dunmore."]],
    ["小王喜欢什么茶？", ["小王喜欢绿茶。"]],
  ])("is content when the hits hold every telling word: %s", async (question, texts) => {
    const plan = await planOf(question);
    const judged = await createRuleReflector().reflect({ plan, hits: texts.map((text) => hit(text)) }, run);
    expect(judged).toEqual({ sufficient: true, missing: [], queries: [] });
  });

  it.each([
    ["When did Ilse adopt the greyhound?", ["Ilse moved to Dunmore."], "greyhound"],
    ["Where does Ilse work?", ["Bram works in Dunmore."], "Ilse"],
    ["小王喜欢什么茶？", ["小王住在杭州。"], "茶"],
    ["Where does Ilse work?", [], "work"],
  ])("asks for exactly what is missing: %s", async (question, texts, missing) => {
    const plan = await planOf(question);
    const judged = await createRuleReflector().reflect({ plan, hits: texts.map((text) => hit(text)) }, run);
    expect(judged.sufficient).toBe(false);
    expect(judged.missing).toContain(missing);
    expect(judged.queries).toHaveLength(1);
    expect(judged.queries[0]).toContain(missing);
    expect(plan.queries).not.toContain(judged.queries[0]);
  });

  it("counts the persons of a hit as held", async () => {
    const plan = await planOf("Where does Ilse work?");
    const judged = await createRuleReflector().reflect({ plan, hits: [hit("I work in Dunmore.", ["Ilse"])] }, run);
    expect(judged.sufficient).toBe(true);
  });

  it("follows the person whom the first hits name when a question joins several facts", async () => {
    const plan = { ...(await planOf("Where does the sister of Ilse work?")), complexity: 0.6 };
    const hits = [
      { ...hit("Ilse's sister is Mara.", ["Ilse", "Mara"]), speaker: "Ilse" },
      { ...hit("Ilse does not work today.", ["Ilse"]), speaker: "Ilse" },
    ];
    const judged = await createRuleReflector().reflect({ plan, hits }, run);
    expect(judged.sufficient).toBe(false);
    expect(judged.queries).toEqual([expect.stringContaining("Mara")]);
  });

  it("never asks with a blank query", async () => {
    const plan = await planOf("?!");
    const judged = await createRuleReflector().reflect({ plan, hits: [] }, run);
    expect(judged.queries.every((query) => query.trim() !== "")).toBe(true);
  });
});
