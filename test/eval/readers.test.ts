import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChats } from "../../src/eval/chats.js";
import { turnsOf } from "../../src/eval/conversation.js";
import { readLocomo } from "../../src/eval/locomo.js";

const CHATS = "test/fixtures/chats";

const FILE = {
  speaker_a: "Ilse",
  speaker_b: "Marek",
  session_2_date_time: "12:05 am on 1 March, 2024",
  session_2: [{ speaker: "Ilse", dia_id: "D2:1", text: "I sold the boat." }],
  session_1_date_time: "1:30 pm on 29 February, 2024",
  session_1: [
    { speaker: "Ilse", dia_id: "D1:1", text: "Look!", blip_caption: "a photo of a boat" },
    { speaker: "Marek", dia_id: "D1:2", text: "Lovely." },
  ],
  qa: [
    { question: "What did Ilse sell?", answer: "a boat", category: 4, evidence: ["D2:1; D1:1", "D2:1", "D9:9"] },
    { question: "How many boats?", answer: 1, category: 1, evidence: ["D"] },
    { question: "What car?", adversarial_answer: "a van", category: 5, evidence: ["D1:1"] },
  ],
};

describe("the reader of LoCoMo", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "locomo-"));
    writeFileSync(join(folder, "7.json"), JSON.stringify(FILE));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("gives sessions in order, with their times, pictures in words and ids that name the file", () => {
    const [conversation] = readLocomo(folder);
    expect(conversation?.sessions.map(({ id }) => id)).toEqual(["7/session_1", "7/session_2"]);
    expect(conversation?.sessions[0]?.turns).toEqual([
      {
        id: "7/D1:1",
        speaker: "Ilse",
        role: "user",
        content: "Look! [shares a picture: a photo of a boat]",
        timestamp: "2024-02-29T13:30:00.000Z",
      },
      { id: "7/D1:2", speaker: "Marek", role: "user", content: "Lovely.", timestamp: "2024-02-29T13:31:00.000Z" },
    ]);
    expect(conversation?.sessions[1]?.turns[0]?.timestamp).toBe("2024-03-01T00:05:00.000Z");
  });

  it("takes every id out of a label once, and leaves out those that name no turn", () => {
    const [conversation] = readLocomo(folder, ["7"]);
    expect(conversation?.questions.map(({ evidence }) => evidence)).toEqual([["7/D2:1", "7/D1:1"], [], ["7/D1:1"]]);
  });

  it("reads numbers as answers, and knows that adversarial questions have none", () => {
    const [conversation] = readLocomo(folder, ["7"]);
    expect(conversation?.questions.map(({ answer }) => answer)).toEqual(["a boat", "1", null]);
    expect(conversation?.questions.map(({ category }) => category)).toEqual(["single-hop", "multi-hop", "adversarial"]);
  });

  it("says which file and field do not fit", () => {
    writeFileSync(join(folder, "bad.json"), JSON.stringify({ ...FILE, qa: [{ question: "Why?", category: 9 }] }));
    expect(() => readLocomo(folder, ["bad"])).toThrow(/bad\.json, field qa\.0\.category/);
  });
});

describe("the chats", () => {
  const chats = readChats(CHATS);

  it("are at least five, each of 60 turns over several months and 20 questions", () => {
    expect(chats.length).toBeGreaterThanOrEqual(5);
    for (const chat of chats) {
      const months = new Set(turnsOf(chat).map(({ timestamp }) => timestamp.slice(0, 7)));
      expect(turnsOf(chat).length).toBeGreaterThanOrEqual(60);
      expect(months.size).toBeGreaterThanOrEqual(4);
      expect(chat.questions.length).toBeGreaterThanOrEqual(20);
    }
  });

  it.each(chats.map((chat) => [chat.name, chat] as const))(
    "%s: evidence names turns, and what is unanswerable has none",
    (_, chat) => {
      const known = new Set(turnsOf(chat).map(({ id }) => id));
      for (const { question, answer, evidence, category } of chat.questions) {
        expect(
          evidence.filter((id) => !known.has(id)),
          question,
        ).toEqual([]);
        expect(evidence.length > 0, question).toBe(answer !== null);
        expect(category === "unanswerable", question).toBe(answer === null);
      }
    },
  );

  it('ask about the user as "I" or "my", and about what changed with the old value beside the new', () => {
    const questions = chats.flatMap((chat) => chat.questions);
    const own = questions.filter(({ question }) => /\b(?:I|I'm|me|my|we|our|us)\b/.test(question));
    expect(own.length / questions.length).toBeGreaterThan(0.8);
    for (const { category, outdated, question } of questions) {
      expect(outdated !== undefined, question).toBe(category === "changed");
    }
  });
});
