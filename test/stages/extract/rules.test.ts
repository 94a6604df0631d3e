import { describe, expect, it } from "vitest";
import { MEMORY_FENCE } from "../../../src/retrievers/index.js";
import { createRuleExtractor, fidelityOf } from "../../../src/stages/extract/index.js";
import { extract, run, texts, turn } from "./fixtures.js";

/** All said on Tuesday, 5 November 2024, 09:00 UTC, by Ilse to Bram, or by 小雨 to 阿明. */
const STATEMENTS: readonly (readonly [string, string])[] = [
  ["I sold the loom yesterday", "Ilse sold the loom on 4 November 2024."],
  ["I live in Dunmore.", "Ilse lives in Dunmore."],
  ["I'm vegetarian.", "Ilse is vegetarian."],
  ["I am left-handed.", "Ilse is left-handed."],
  ["I don't like figs.", "Ilse does not like figs."],
  ["I can't eat walnuts because I'm allergic.", "Ilse can't eat walnuts because Ilse is allergic."],
  ["My locker code is 4417.", "Ilse's locker code is 4417."],
  ["You owe me 40 euros.", "Bram owes Ilse 40 euros."],
  ["I lent you my drill.", "Ilse lent Bram Ilse's drill."],
  ["Bram and I bought a boat in 2019.", "Bram and Ilse bought a boat in 2019."],
  ["I will visit the dentist tomorrow.", "Ilse will visit the dentist on 6 November 2024."],
  ["I started piano lessons last month.", "Ilse started piano lessons in October 2024."],
  ["The museum closes at 5 pm.", "Ilse said: The museum closes at 5 pm."],
  ["Just got back from Paris!", "Ilse just got back from Paris!"],
  ["Yes, I adopted a greyhound.", "Ilse adopted a greyhound."],
  ["Thanks, Bram! I sold the boat.", "Ilse sold the boat."],
  ["Hey Bram! I painted the fence.", "Ilse painted the fence."],
  ["I decided to quit smoking.", "Ilse decided to quit smoking."],
  ["I went to a pottery class. It cost 40 euros.", "Ilse went to a pottery class; it cost 40 euros."],
  ["I quit smoking. That was hard work.", "Ilse quit smoking; that was hard work."],
  ["I moved to Porthaven on 3 March 2024.", "Ilse moved to Porthaven on 3 March 2024."],
  ["My rent is $600 a month.", "Ilse's rent is $600 a month."],
  ["I only drink coffee before noon.", "Ilse only drinks coffee before noon."],
  ["I never fly if it is stormy.", "Ilse never flies if it is stormy."],
  ["I have three cats.", "Ilse has three cats."],
  ["I work at Quill & Fern as a bookbinder.", "Ilse works at Quill & Fern as a bookbinder."],
  ["I prefer window seats.", "Ilse prefers window seats."],
  ["I was born in Skerrow.", "Ilse was born in Skerrow."],
  ["I've finished the quilt.", "Ilse has finished the quilt."],
  ["I'll send the draft by Friday.", "Ilse will send the draft by 8 November 2024."],
  ["我昨天把织布机卖了。", "小雨2024年11月4日把织布机卖了。"],
  ["我住在杭州。", "小雨住在杭州。"],
  ["我喜欢吃榴莲。", "小雨喜欢吃榴莲。"],
  ["我不喜欢吃榴莲。", "小雨不喜欢吃榴莲。"],
  ["我明天要去北京出差。", "小雨2024年11月6日要去北京出差。"],
  ["我的储物柜密码是4417。", "小雨的储物柜密码是4417。"],
  ["我对花生过敏。", "小雨对花生过敏。"],
  ["我养了三只猫。", "小雨养了三只猫。"],
  ["我在学校工作。", "小雨在学校工作。"],
  ["你欠我40元。", "阿明欠小雨40元。"],
];

const SMALL_TALK = [
  "Hi!",
  "Hello there, Bram!",
  "Hey Bram! Good to see you!",
  "Thanks!",
  "Thank you so much, Bram!",
  "Wow, that's amazing!",
  "Sounds great!",
  "Yes.",
  "Okay, got it.",
  "Haha, nice!",
  "👍👍",
  "Good morning!",
  "Take care, bye!",
  "I don't know.",
  "How are you?",
  "Do you like figs?",
  "你好！",
  "谢谢！",
  "好的，没问题。",
  "哈哈，真的吗？",
  "晚安！",
];

/** Question, short answer, and the one entry of both. */
const EXCHANGES: readonly (readonly [string, string, string])[] = [
  [
    "Where do you keep the spare key?",
    "Under the mat.",
    'Bram asked: "Where does Ilse keep the spare key?" Ilse answered: "Under the mat."',
  ],
  ["Did you sell the boat?", "No.", 'Bram asked: "Did Ilse sell the boat?" Ilse answered: "No."'],
  ["Do you have kids?", "Yes, two boys.", 'Bram asked: "Does Ilse have kids?" Ilse answered: "Yes, two boys."'],
  ["What color is your bike?", "Dark green!", 'Bram asked: "What color is Ilse\'s bike?" Ilse answered: "Dark green!"'],
];

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

function talk(content: string) {
  const [me, other, hello] = isChinese(content) ? ["小雨", "阿明", "你好！"] : ["Ilse", "Bram", "Hello!"];
  return [turn(String(other), String(hello)), turn(String(me), content)];
}

describe("the rule extractor restates", () => {
  it.each(STATEMENTS)("%s → %s", async (said, restated) => {
    const { items, rejections } = await extract(talk(said));
    expect(rejections).toEqual([]);
    expect(items.map((item) => item.losslessRestatement)).toEqual([restated]);
    expect(items[0]?.confidence).toBeGreaterThan(0.5);
  });

  it.each(SMALL_TALK)("nothing of: %s", async (said) => {
    expect(await texts(talk(said))).toEqual([]);
  });

  it.each(EXCHANGES)("%s / %s → one entry", async (question, answer, restated) => {
    const turns = [turn("Bram", question), turn("Ilse", answer)];
    const { items } = await extract(turns);
    expect(items.map((item) => item.losslessRestatement)).toEqual([restated]);
    // The turn that answers comes first: the statement is its speaker's.
    expect(items[0]?.sourceIds).toEqual(turns.map((one) => one.dialogueId).reverse());
    expect(items[0]?.persons).toEqual(["Bram", "Ilse"]);
  });

  it("no answer where the reply is small talk, and no person of a cheer", async () => {
    const turns = [
      turn("Ilse", "What did you bake?"),
      turn("Bram", "Woohoo, Ilse!"),
      turn("Ilse", "They sold the boat."),
    ];
    const { items } = await extract(turns);
    expect(items.map((item) => item.losslessRestatement)).toEqual(["Ilse said: They sold the boat."]);
    expect(items[0]?.persons).toEqual(["Ilse"]);
  });

  it("a Chinese question and its answer as one entry", async () => {
    expect(await texts([turn("阿明", "你的钥匙放在哪里？"), turn("小雨", "在门垫下面。")])).toEqual([
      "阿明问：“小雨的钥匙放在哪里？”小雨回答：“在门垫下面。”",
    ]);
  });

  it("an answer that stands alone without its question", async () => {
    expect(await texts([turn("Bram", "Where did you move?"), turn("Ilse", "I moved to Skerrow.")])).toEqual([
      "Ilse moved to Skerrow.",
    ]);
  });
});

describe("the rule extractor tells time by the turn", () => {
  it("counts 'yesterday' from the turn, never from the clock", async () => {
    const { items } = await extract([turn("Ilse", "I sold the loom yesterday")]);
    expect(items[0]).toMatchObject({
      timestamp: "2024-11-04T00:00:00.000Z",
      timestampEnd: "2024-11-05T00:00:00.000Z",
      mentionedAt: "2024-11-05T09:00:00.000Z",
    });
    expect(JSON.stringify(items)).not.toContain("2026");
  });

  it.each([
    ["I see the dentist tomorrow.", "2026-01-11T07:30:00.000Z", -480, "11 January 2026", "2026-01-11T08:00:00.000Z"],
    ["I sold the loom today.", "2026-01-09T23:00:00.000Z", 540, "10 January 2026", "2026-01-09T15:00:00.000Z"],
  ])("%s at %s with offset %i is %s", async (said, timestamp, offsetMinutes, day, from) => {
    for (const timeZone of ["UTC", "Asia/Tokyo", "America/Los_Angeles"]) {
      const { items } = await extract([turn("Ilse", said, { timestamp, offsetMinutes })], { timeZone });
      expect(items[0]?.losslessRestatement).toContain(day);
      expect(items[0]?.timestamp).toBe(from);
    }
  });

  it("leaves the time empty when the words say none", async () => {
    const { items } = await extract([turn("Ilse", "I live in Dunmore.")]);
    expect(items[0]).toMatchObject({ timestamp: null, timestampEnd: null });
  });
});

describe("the rule extractor knows who is meant", () => {
  it("names a person of the context, and takes nothing from the context", async () => {
    const context = [turn("Ilse", "My sister Maren got a job in Skerrow.")];
    const { items } = await extract([turn("Ilse", "She starts there on Monday.")], { context });
    expect(items.map((item) => item.losslessRestatement)).toEqual(["Maren starts in Skerrow on 11 November 2024."]);
    expect(items[0]?.persons).toContain("Maren");
  });

  it("knows a name at the head of a sentence by a fact that is known", async () => {
    const neighbours = ["Ilse has a sister named Maren."];
    const turns = [turn("Ilse", "Maren visited me last weekend. She brought her dog.")];
    const all = await texts(turns, { neighbours });
    expect(all).toHaveLength(2);
    expect(all[1]).toMatch(/^Maren brought Maren's dog/);
  });

  it("marks what it cannot resolve, with the words before it and an open question", async () => {
    const { items, openQuestions } = await extract([
      turn("Ilse", "I went hiking with the kids."),
      turn("Bram", "Nice!"),
      turn("Ilse", "They loved the waterfall."),
    ]);
    expect(items[1]?.losslessRestatement).toContain("Ilse went hiking with the kids.");
    expect(items[1]?.confidence).toBe(0.4);
    expect(openQuestions).toHaveLength(1);
  });

  it("never makes the user the subject of an assistant's words", async () => {
    const turns = [
      turn("Ilse Corrin", "How do I prune figs?"),
      turn("assistant", "I love pruning in March; cut a third.", { role: "assistant" }),
    ];
    const { items } = await extract(turns);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ sourceRole: "assistant", speaker: "assistant" });
    expect(items[0]?.losslessRestatement).toMatch(/^The assistant/);
    expect(items[0]?.persons).not.toContain("Ilse Corrin");
  });

  it.each([
    ["You should prune figs in winter.", /^The assistant said: Ilse should prune figs/],
    ["Figs need sun.", /^The assistant said: Figs need sun/],
  ])("attributes %s to the assistant", async (said, pattern) => {
    const { items } = await extract([turn("Ilse", "Hello!"), turn("assistant", said, { role: "assistant" })]);
    expect(items[0]?.losslessRestatement).toMatch(pattern);
  });

  it("leaves out an assistant's echoes and phrases", async () => {
    const turns = [
      turn("Ilse", "I adopted a greyhound in Porthaven."),
      turn("assistant", "Got it! You adopted a greyhound in Porthaven. Let me know if you need anything.", {
        role: "assistant",
      }),
    ];
    expect(await texts(turns)).toEqual(["Ilse adopted a greyhound in Porthaven."]);
  });

  it("never writes a label for a name", async () => {
    const all = await texts([turn("Speaker 1", "I sold my loom."), turn("user", "I love figs.")]);
    expect(all).toEqual(["The user sold the user's loom.", "The user loves figs."]);
  });

  it("keeps a tool's numbers and nothing of a system turn", async () => {
    const turns = [
      turn("system", "You are helpful 24 hours a day.", { role: "system" }),
      turn("weather", "Dunmore: 14 degrees", { role: "tool" }),
      turn("search", "ok", { role: "tool" }),
    ];
    const { items } = await extract(turns);
    expect(items.map((item) => item.losslessRestatement)).toEqual(["The tool weather returned: Dunmore: 14 degrees"]);
    expect(items[0]?.sourceRole).toBe("tool");
  });
});

/** Said in turn by Ilse and Bram, and what stands in the last entry. */
const REFERENCES: readonly (readonly [turns: readonly string[], last: string])[] = [
  [["My sister Ane repairs clocks."], "Ilse's sister Ane repairs clocks."],
  [["My boss is Oda Reyl, she runs the workshop."], "Ilse's boss is Oda Reyl, Oda Reyl runs the workshop."],
  [
    ["I hired Sunniva Holt.", "Nice!", "Liv changed her mind, she wants green tiles now, not blue."],
    "Liv changed Liv's mind, Liv wants green tiles now, not blue.",
  ],
  [
    ["I met Maren and Odo.", "Nice!", "She was tired from the trip."],
    'Ilse said: She was tired from the trip. [after: "Ilse met Maren and Odo."]',
  ],
  [["My sister Maren met my brother Odo.", "Nice!", "She was tired from the trip."], "Maren was tired from the trip."],
  [
    ["Maren visited me. My mother called.", "Nice!", "She was tired from the trip."],
    'Ilse said: She was tired from the trip. [after: "Ilse\'s mother called."]',
  ],
  [
    ["The bank offered me a loan.", "Did you take it?", "I signed it yesterday."],
    'Ilse signed it on 4 November 2024. [after: "The bank offered Ilse a loan."]',
  ],
  [["My cat Quark broke a lamp.", "Is he fine?", "He is only clumsy."], "Quark is only clumsy."],
  [["Mira makes rolls, and people queue for them."], "Ilse said: Mira makes rolls, and people queue for them."],
];

const REACTIONS = ["Lucky.", "Lucky you!", "Poor thing.", "Yum.", "Bravo!", "Big step!", "Hm.", "太好了！", "真幸运！"];

describe("the rule extractor R44: one clear owner, or none", () => {
  const spoken = (lines: readonly string[]) =>
    lines.map((line, index) => turn(index % 2 === 0 ? "Ilse" : "Bram", line));

  it.each(REFERENCES)("%j → %s", async (lines, last) => {
    expect((await texts(spoken(lines))).at(-1)).toBe(last);
  });

  it("puts whom a fact is about before whose relative it is", async () => {
    const { items } = await extract([turn("Ilse", "My sister Ane repairs clocks.")]);
    expect(items[0]?.persons).toEqual(["Ane", "Ilse"]);
  });

  it.each(REACTIONS)("stores no reaction: %s", async (said) => {
    expect(await texts(spoken(["I sold the loom.", said]))).toEqual(["Ilse sold the loom."]);
  });

  it("keeps a question that holds a number, date or name and is answered at length", async () => {
    const lines = ["Are you in Skerrow on Friday?", "I planned a long ride along the coast with the club."];
    expect((await texts(spoken(lines)))[0]).toBe('Ilse asked: "Is Bram in Skerrow on 8 November 2024?"');
  });

  it("knows whom a turn is said to when an assistant listens", async () => {
    const turns = [
      turn("Pip", "Hello!", { role: "assistant" }),
      turn("Bram", "I baked bread."),
      turn("Ilse", "I will bring you jam."),
      turn("Ilse", "Pip, I want you to book the train."),
    ];
    expect((await texts(turns)).slice(1)).toEqual(["Ilse will bring Bram jam.", "Ilse wants Pip to book the train."]);
  });
});

describe("the rule extractor describes", () => {
  it.each([
    ["I love figs.", "preference"],
    ["I decided to sell the boat.", "decision"],
    ["I will visit the dentist tomorrow.", "plan"],
    ["I visited the dentist yesterday.", "event"],
    ["My locker code is 4417.", "fact"],
    ["我喜欢吃榴莲。", "preference"],
    ["我打算学游泳。", "plan"],
    ["我决定卖掉这条船。", "decision"],
  ])("%s as %s", async (said, kind) => {
    expect((await extract(talk(said))).items[0]?.kind).toBe(kind);
  });

  it("place, persons, keywords, topic and named details", async () => {
    const { items } = await extract(talk("I will pay the 300 euros rent in Dunmore by Friday."));
    expect(items[0]).toMatchObject({
      location: "Dunmore",
      attributes: { deadline: "8 November 2024", amount: "300 euros" },
      kind: "plan",
      sourceRole: "user",
      speaker: "Ilse",
    });
    expect(items[0]?.persons).toContain("Ilse");
    expect(items[0]?.keywords).toEqual(expect.arrayContaining(["rent", "300"]));
  });

  it("a pasted log as one entry that keeps its errors, however long it is", async () => {
    const lines = Array.from({ length: 80 }, (_, index) => `2024-11-05T08:00:${index % 60} INFO step done`);
    lines.splice(60, 0, "2024-11-05T08:00:01 ERROR code 503 upstream refused");
    const { items } = await extract([turn("Ilse", `I saw this today:\n${lines.join("\n")}`)]);
    expect(items).toHaveLength(1);
    expect(items[0]?.losslessRestatement).toMatch(/^Ilse pasted a log/);
    expect(items[0]?.losslessRestatement).toContain("ERROR code 503");
    expect(items[0]?.losslessRestatement.length).toBeLessThan(750);
  });

  it("nothing of memory that was injected into a turn", async () => {
    const said = `${MEMORY_FENCE.open}\n- Ilse's code is 4417.\n${MEMORY_FENCE.close}\nI sold the loom.`;
    expect(await texts([turn("Ilse", said)])).toEqual(["Ilse sold the loom."]);
  });

  it("text that is not well formed without its broken parts", async () => {
    expect(await texts([turn("Ilse", "I sold the loom\uD83D.\u0000")])).toEqual(["Ilse sold the loom."]);
  });
});

describe("the rule extractor", () => {
  it("keeps the numbers, dates, names and negations of what it restates", async () => {
    for (const [said] of STATEMENTS) {
      const turns = talk(said);
      const { items } = await extract(turns);
      const { kept, total } = fidelityOf(turns, items);
      expect(kept, said).toBe(total);
    }
  });

  it("gives the same twice, and nothing for nothing", async () => {
    const turns = talk("I sold the loom yesterday");
    expect(await extract(turns)).toEqual(await extract(turns));
    expect(await extract([])).toEqual({ items: [], rejections: [], openQuestions: [], incomplete: false });
  });

  it("stops when asked to", async () => {
    const stopped = { ...run, signal: AbortSignal.abort() };
    const input = { windowId: "w", turns: [], context: [], neighbours: [], timeZone: "UTC" };
    await expect(createRuleExtractor().extract(input, stopped)).rejects.toThrow();
  });
});

it("takes what something is called for a fact, not for an event", async () => {
  const { items } = await extract([turn("Ilse", "My boat is called Tern.")]);
  expect(items.map(({ kind }) => kind)).toEqual(["fact"]);
});
