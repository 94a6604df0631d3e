import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evalCommand } from "../../src/eval/command.js";
import type { EvalConversation } from "../../src/eval/conversation.js";
import { type EvalReport, evaluate } from "../../src/eval/evaluate.js";

function conversation(name: string, speaker: string, place: string): EvalConversation {
  const contents = [
    `I moved to ${place} last week.`,
    "My sister repairs violins in a little shop.",
    "On Saturdays I swim in the lake.",
    "The kitchen still has no table.",
  ];
  const turns = contents.map((content, index) => ({
    id: `${name}/${index + 1}`,
    speaker,
    role: "user" as const,
    content,
    timestamp: `2025-03-10T09:0${index}:00.000Z`,
  }));
  return {
    name,
    facts: [{ key: "home", value: place }],
    sessions: [{ id: `${name}/s1`, turns }],
    questions: [
      {
        question: `Where did ${speaker} move to?`,
        category: "one",
        answer: place,
        evidence: [`${name}/1`],
        outdated: "Oslo",
      },
      { question: "Who repairs violins?", category: "two", answer: "sister", evidence: [`${name}/2`] },
      { question: "Which submarine did the admiral buy?", category: "none", answer: null, evidence: [] },
    ],
  };
}

describe("evaluate", () => {
  let folder: string;
  let report: EvalReport;
  const conversations = [conversation("first", "Ilse", "Porthaven"), conversation("second", "Marek", "Graz")];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "evaluate-"));
    report = await evaluate(conversations, { asks: true, ablates: true, store: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("finds what was said, and gives the figures for all, by category and by conversation", () => {
    expect(report.retrieval.map(({ label, questions }) => [label, questions])).toEqual([
      ["all", 4],
      ["one", 2],
      ["two", 2],
      ["first", 2],
      ["second", 2],
    ]);
    expect(report.retrieval[0]?.measures["recall@5"]?.mean).toBe(1);
  });

  it("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("counts what abstains apart from what is answered", () => {
    expect(report.abstention?.unanswerable).toBe(2);
    expect(report.answers?.[0]?.questions).toBe(4);
  });

  it("ablates every view and every feature, and keeps everything at a floor of 0", () => {
    expect(report.views?.map(({ label }) => label)).toContain("without episodic");
    expect(report.features?.map(({ label }) => label)).toContain("without words");
    expect(report.floors?.[0]).toMatchObject({ floor: 0, recallAt10: 1, emptyAnswerable: 0 });
    expect(report.floors?.at(-1)?.hitsPerQuestion).toBeLessThan(report.floors?.[0]?.hitsPerQuestion ?? 0);
  });

  it("compares entries, turns and facts; facts name no turns", () => {
    const labels = report.memories?.map(({ label }) => label);
    expect(labels).toEqual(["entries only", "episodic only", "facts only", "all"]);
    expect(report.memories?.[2]?.contextRecovery).toBe(0);
    expect(report.memories?.[3]?.contextRecovery).toBe(1);
  });

  it("uses a filled store again and finds the same", async () => {
    const again = await evaluate(conversations, { store: folder });
    expect(again.ingest).toEqual(report.ingest);
    expect(again.retrieval).toEqual(report.retrieval);
  });

  it("puts all conversations into one memory when asked to", async () => {
    const { ingest, retrieval } = await evaluate(conversations, { oneScope: true });
    expect(ingest.map(({ space, turns }) => [space, turns])).toEqual([["first+second", 8]]);
    expect(retrieval[0]?.measures["recall@20"]?.mean).toBe(1);
  });
});

describe("the command", () => {
  const printed: string[] = [];
  const console = { print: (text: string) => printed.push(text), log: () => undefined };

  it("refuses unknown views, a folder that is not there and unknown options", async () => {
    await expect(evalCommand(["--views", "telepathic"], console, {})).rejects.toThrow(/--views/);
    await expect(evalCommand([], console, { LOCOMO_DIR: "/nowhere" })).rejects.toThrow(/no folder \/nowhere/);
    await expect(evalCommand(["--wings"], console, {})).rejects.toThrow(/wings/);
  });

  it("measures the chats, prints tables and writes the report", async () => {
    const folder = mkdtempSync(join(tmpdir(), "eval-command-"));
    try {
      const json = join(folder, "report.json");
      await evalCommand(["--chats", "--files", "developer", "--json", json], console, {});
      expect(printed.join("\n")).toContain("| developer | 68 ");
      const report: EvalReport = JSON.parse(readFileSync(json, "utf8"));
      expect(report.retrieval[0]?.questions).toBe(19);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
