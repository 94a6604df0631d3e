import { describe, expect, it } from "vitest";
import { emptyUsage, type Plan, SILENT_LOGGER } from "../../../src/records/index.js";
import { createRulePlanner, depthFor, needsModel } from "../../../src/stages/plan/index.js";

const planner = createRulePlanner();
const run = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };

function plan(question: string, recent: readonly string[] = []): Promise<Plan> {
  return planner.plan(
    {
      question,
      recent: recent.map((content, index) => ({
        dialogueId: `t${index}`,
        speaker: "Ilse Corrin",
        role: "user" as const,
        content,
        timestamp: "2025-06-10T08:00:00.000Z",
        offsetMinutes: 0,
        timestampIsAssumed: false,
        sessionId: "s1",
        contentHash: "",
        metadata: {},
        sequence: index,
      })),
      knownPersons: ["Ilse Corrin", "Bram", "小王"],
      now: "2025-06-10T09:00:00.000Z",
      timeZone: "UTC",
    },
    run,
  );
}

describe("the rule planner reads what a question asks for", () => {
  it.each([
    ["When did Ilse move to Porthaven?", "when"],
    ["What time does the market open?", "when"],
    ["Can you tell me when Ilse moved?", "when"],
    ["How long ago did Bram leave?", "when"],
    ["Where does Ilse live?", "where"],
    ["Which city did Bram visit last week?", "where"],
    ["Who repaired the clock?", "who"],
    ["Whose boat is it?", "who"],
    ["How many cats does Bram have?", "count"],
    ["How old is Bram?", "count"],
    ["How long has Ilse played the cello?", "count"],
    ["Why did Bram leave Dunmore?", "reason"],
    ["What books has Ilse read?", "list"],
    ["Did Ilse adopt a dog?", "yes_no"],
    ["What does Ilse like?", "what"],
    ["Tell me about Rill.", "open"],
    ["伊莉什么时候搬到杭州的？", "when"],
    ["会议几点开始？", "when"],
    ["小王住在哪里？", "where"],
    ["谁修了钟？", "who"],
    ["小王养了几只猫？", "count"],
    ["小王多大了？", "count"],
    ["他为什么离开上海？", "reason"],
    ["小王有什么爱好？", "list"],
    ["小王喜欢绿茶吗？", "yes_no"],
    ["小王有没有养狗？", "yes_no"],
    ["小王昨天买了什么？", "what"],
    ["他是怎么去北京的？", "what"],
  ])("%s → %s", async (question, type) => {
    expect((await plan(question)).questionType).toBe(type);
  });
});

describe("the rule planner keeps what the facts must hold", () => {
  it.each([
    ["How many cats does Bram have?", ["cat", "bram"]],
    ["What time does the market open?", ["market", "open"]],
    ["What did Bram buy yesterday?", ["bram", "bui"]],
    ["小王喜欢喝什么茶？", ["小王", "小", "王", "喜欢", "喜", "欢", "喝", "茶"]],
    ["小王在哪里工作？", ["小王", "小", "王", "工作", "工", "作"]],
  ])("%s → %j", async (question, keywords) => {
    expect((await plan(question)).keywords).toEqual(keywords);
  });

  it.each([
    ["Where does Ilse live?", "Ilse live"],
    ["When is the meeting?", "the meeting"],
    ["小王住在哪里？", "小王住在"],
  ])("%s is also searched as %s", async (question, query) => {
    expect((await plan(question)).queries).toEqual([question, query]);
  });

  it.each([
    ["When did Ilse move to Porthaven?", ["Ilse Corrin"], "Porthaven"],
    ["What did Bram give to Ilse?", ["Bram", "Ilse Corrin"], null],
    ["What did Ilse do in May 2025?", ["Ilse Corrin"], null],
    ["小王喜欢绿茶吗？", ["小王"], null],
  ])("%s names %j and the place %s", async (question, persons, location) => {
    const made = await plan(question);
    expect([...made.persons].sort()).toEqual([...persons].sort());
    expect(made.location).toBe(location);
  });

  it.each([
    ["What did Ilse do in May 2025?", "2025-05-01T00:00:00.000Z", "2025-06-01T00:00:00.000Z"],
    ["What did Bram buy yesterday?", "2025-06-09T00:00:00.000Z", "2025-06-10T00:00:00.000Z"],
    ["小王昨天买了什么？", "2025-06-09T00:00:00.000Z", "2025-06-10T00:00:00.000Z"],
  ])("%s is about a time from %s to %s", async (question, after, before) => {
    expect((await plan(question)).timeRange).toEqual({ after, before });
  });

  it("resolves what points back by the words of the last turns", async () => {
    const made = await plan("When is that?", ["The regatta of Dunmore was planned."]);
    expect(made.queries.at(-1)).toMatch(/regatta/i);
  });

  it.each(["", "   ", "?!", "🙂"])("makes a plan even for %j", async (question) => {
    const made = await plan(question);
    expect(made.queries[0]).toBe(question);
    expect(made.depth).toBeGreaterThanOrEqual(3);
  });
});

describe("the depth of a plan", () => {
  it("stays in 3 to 20 and grows with complexity", () => {
    const depths = [0, 0.25, 0.5, 0.75, 1].map(depthFor);
    expect(depths).toEqual([...depths].sort((a, b) => a - b));
    expect(new Set(depths).size).toBe(depths.length);
    expect(Math.max(...depths)).toBeLessThanOrEqual(20);
    expect(Math.min(...depths)).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ["Where does Ilse live?", false],
    ["小王喜欢绿茶吗？", false],
    ["What places did Ilse and Bram visit after the storm?", true],
    ["Why did Bram leave because of Ilse?", true],
  ])("%s is worth a model: %s", async (question, worth) => {
    expect(needsModel(await plan(question))).toBe(worth);
  });
});
