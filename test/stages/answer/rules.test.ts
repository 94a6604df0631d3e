import { describe, expect, it } from "vitest";
import { emptyUsage, type Hit, SILENT_LOGGER } from "../../../src/records/index.js";
import { createRuleAnswerer } from "../../../src/stages/answer/index.js";
import { createRulePlanner } from "../../../src/stages/plan/index.js";

const run = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };

function turn(id: string, speaker: string, text: string, score = 0.5): Hit {
  return {
    id,
    kind: "turn",
    text,
    score,
    views: ["episodic"],
    sourceIds: [id],
    timestamp: "2025-06-04T10:00:00.000Z",
    persons: [speaker],
    speaker,
    sessionId: "s1",
  };
}

const MEMORY: readonly Hit[] = [
  turn("move", "Ilse Corrin", "Ilse Corrin moved to Porthaven on 3 May 2025."),
  turn("dog", "Ilse Corrin", "Ilse Corrin adopted a greyhound called Rill."),
  turn("clock", "Bram", "I repaired the old clock yesterday."),
  turn("pets", "Bram", "Bram has three cats and 2 canaries."),
  turn("cello", "Ilse Corrin", "Ilse Corrin has played the cello for five years."),
  turn("sister", "Ilse Corrin", "Ilse's sister Mara works in Dunmore."),
  turn("key", "Bram", "Bram hides the spare key under the flower pot."),
  turn("meat", "Bram", "Bram does not eat meat."),
  turn("rent", "Bram", "Bram pays €640 rent since January 2024."),
  turn("zh-live", "小王", "小王住在杭州。"),
  turn("zh-cat", "小王", "小王养了三只猫。"),
  turn("zh-tea", "小王", "小王喜欢喝绿茶。"),
  turn("zh-wed", "小王", "小王于2025年5月3日结婚了。"),
  turn("zh-meat", "小王", "小王不吃肉。"),
];

async function ask(question: string, hits: readonly Hit[] = MEMORY) {
  const plan = await createRulePlanner().plan(
    {
      question,
      recent: [],
      knownPersons: ["Ilse Corrin", "Bram", "小王"],
      now: "2025-06-10T09:00:00.000Z",
      timeZone: "UTC",
    },
    run,
  );
  return createRuleAnswerer().answer({ question, plan, hits, contextBlock: "", timeZone: "UTC" }, run);
}

describe("the rule answerer gives a short span", () => {
  it.each([
    ["When did Ilse move to Porthaven?", "3 May 2025", "move"],
    ["When did Bram repair the clock?", "3 June 2025", "clock"],
    ["Where did Ilse move?", "Porthaven", "move"],
    ["Where does Mara work?", "Dunmore", "sister"],
    ["Where does Bram hide the spare key?", "under the flower pot", "key"],
    ["Who repaired the old clock?", "Bram", "clock"],
    ["Who is Ilse's sister?", "Mara", "sister"],
    ["Who moved to Porthaven?", "Ilse Corrin", "move"],
    ["How many cats does Bram have?", "3", "pets"],
    ["How many canaries does Bram have?", "2", "pets"],
    ["How long has Ilse played the cello?", "5 years", "cello"],
    ["How much rent does Bram pay?", "€640", "rent"],
    ["小王住在哪里？", "杭州", "zh-live"],
    ["小王养了几只猫？", "三只", "zh-cat"],
    ["小王什么时候结婚的？", "2025年5月3日", "zh-wed"],
  ])("%s → %s", async (question, answer, id) => {
    const said = await ask(question);
    expect(said).toMatchObject({ answer, abstained: false, citedIds: [id] });
  });

  it.each([
    ["Did Ilse adopt a greyhound?", /^Yes$/],
    ["Does Bram eat meat?", /^No$/],
    ["What did Ilse adopt?", /greyhound called Rill/],
    ["小王喜欢喝绿茶吗？", /^是的$/],
    ["小王吃肉吗？", /^不是$/],
    ["小王喜欢喝什么茶？", /绿茶/],
  ])("%s → %s", async (question, answer) => {
    const said = await ask(question);
    expect(said.abstained).toBe(false);
    expect(said.answer).toMatch(answer);
  });

  it("takes the telling sentence of a long turn", async () => {
    const long = turn(
      "long",
      "Bram",
      "I was in Dunmore. The ferry sank near Saltmouth on 2 April 2025. I bought 3 hats.",
    );
    expect((await ask("When did the ferry sink?", [long])).answer).toBe("2 April 2025");
    expect((await ask("Where was the ferry near?", [long])).answer).toBe("Saltmouth");
    expect((await ask("How many hats did Bram buy?", [long])).answer).toBe("3");
  });

  it("names who does it, not who tells of it", async () => {
    const told = [turn("clocks", "Ilse Corrin", "Ilse Corrin's sister Ane repairs clocks there.")];
    expect((await ask("Who repairs clocks?", told)).answer).toBe("Ane");
    const raw = [turn("clocks", "Ilse Corrin", "My sister Ane repairs clocks there.")];
    expect((await ask("Who repairs clocks?", raw)).answer).toBe("Ane");
  });

  it("believes the newer of two plans for the same", async () => {
    const older = {
      ...turn("old", "Bram", "Bram wants to open the ferry shop in May."),
      timestamp: "2025-03-01T10:00:00.000Z",
    };
    const newer = {
      ...turn("new", "Bram", "Bram will open the ferry shop on 21 June 2025 instead of May."),
      timestamp: "2025-04-01T10:00:00.000Z",
    };
    const said = await ask("When will Bram open the ferry shop?", [older, newer]);
    expect(said).toMatchObject({ answer: "21 June 2025", citedIds: ["new"] });
  });

  it("reads an amount of money past the article before it", async () => {
    const rent = turn("rent-zh", "小王", "小王找到了一个房子，租金每月1800欧元。");
    expect((await ask("小王的租金是多少？", [rent])).answer).toBe("每月1800欧元");
  });

  it.each([
    ["What colour is Bram's boat?", "Bram painted the boat dark green.", "dark green"],
    ["Which error stopped the press?", "The press stopped because of error E17: no paper.", "E17"],
    ["What is Bram allergic to?", "Bram is allergic to pollen, so no lilies when Ilse visits.", "pollen"],
    ["What does Bram drink now?", "Bram drinks nettle tea now.", "nettle tea"],
    ["How long has Bram kept bees?", "Bram has kept bees for two years.", "2 years"],
    ["What year did Bram buy the boat?", "Bram bought the boat on 2 May 2019.", "2019"],
    ["Why did Bram sell the boat?", "Bram sold the boat because the hull leaked.", "the hull leaked"],
  ])("%s of “%s” → %s", async (question, text, answer) => {
    expect((await ask(question, [turn("one", "Bram", text)])).answer).toBe(answer);
  });

  it("joins what several memories say for a list", async () => {
    const books = [
      turn("b1", "Ilse Corrin", "Ilse read the book Salt Roads."),
      turn("b2", "Ilse Corrin", "Ilse read the book Tidewater."),
    ];
    const said = await ask("What books has Ilse read?", books);
    expect(said.answer).toMatch(/Salt Roads[\s\S]*Tidewater/);
    expect(said.citedIds).toEqual(["b1", "b2"]);
  });
});

describe("the rule answerer abstains from what was never said", () => {
  it.each([
    "When did Ilse adopt the parrot?",
    "What is the name of Bram's boat?",
    "Where did Zelda move?",
    "Which instrument does Bram tune?",
    "Did Bram crash his motorcycle?",
    "How many horses did Ilse sell?",
    "小王什么时候去的巴黎？",
    "小王的车是什么颜色？",
    "老李住在哪里？",
  ])("%s", async (question) => {
    const said = await ask(question);
    expect(said).toMatchObject({ answer: "", abstained: true, confidence: 0, citedIds: [] });
    expect(said.reason).not.toBe("");
  });

  it("does not give one person what is known of another", async () => {
    const said = await ask("What did Ilse win at the regatta?", [
      turn("won", "Bram", "Bram won a silver cup at the regatta."),
      turn("work", "Ilse Corrin", "Ilse Corrin works in Dunmore."),
    ]);
    expect(said).toMatchObject({ answer: "", abstained: true });
    expect(said.reason).toMatch(/somebody else than Ilse Corrin/);
  });

  it("says why in the language of the question", async () => {
    expect((await ask("Where is the submarine?", [])).reason).toMatch(/^Nothing that is remembered/);
    expect((await ask("潜水艇在哪里？", [])).reason).toMatch(/^记忆中没有/);
  });

  it("keeps its confidence in 0 to 1 and higher for better evidence", async () => {
    const strong = await ask("When did Ilse move to Porthaven?", [
      turn("a", "Ilse Corrin", "Ilse moved to Porthaven.", 0.9),
    ]);
    const weak = await ask("When did Ilse move to Porthaven?", [turn("a", "Ilse Corrin", "Ilse moved house.", 0.3)]);
    expect(strong.confidence).toBeLessThanOrEqual(1);
    expect(strong.confidence).toBeGreaterThan(weak.confidence);
  });
});
