import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions, type TurnInput } from "../../src/index.js";
import { openStore } from "../../src/store/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";
import { entryRow, ILSE } from "../support/store.js";

/** Everything near everything, so that each window has neighbours to be compared with. */
const SAME = () => [1, 0, 0, 0, 0, 0, 0, 0.1];
const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));
const isComparison = (prompt: string): boolean => prompt.includes("You compare");
const isExtraction = (prompt: string): boolean => prompt.includes("One entry states one fact");

/** One entry for each new line, about the one who says it. */
function restating(prompt: string): string {
  if (isComparison(prompt)) return '{"operations":[]}';
  const lines = [...newLines(prompt).matchAll(/^\[([^\]]+)\] \([^)]*\) (\S+) \(user\): (.+)$/gm)];
  return reply(
    ...lines.map(([, label, speaker = "", said = ""]) =>
      fact(said.replace("I keep", `${speaker} keeps`).replace("我", speaker), {
        persons: [speaker],
        source_ids: [label],
      }),
    ),
  );
}

async function openWith(options: Partial<SimpleMemOptions> = {}, answer = restating) {
  const model = new ScriptedModel([answer]);
  const embeddings = new FakeEmbeddings(8, SAME);
  const simplemem = await SimpleMem.open({ uri: "memory://", llm: model, embeddings, ...options });
  onTestFinished(() => simplemem.close({ flush: false }));
  return { simplemem, model, embeddings, memory: simplemem.scope({ userId: "u-ilse" }) };
}

const line = (index: number): string => `I keep hive number ${index} by the mill.`;
const turns = (count: number, more: (index: number) => Partial<TurnInput> = () => ({})): TurnInput[] =>
  Array.from({ length: count }, (_, index) => ({ speaker: "Ilse", content: line(index), ...more(index) }));
const window = (size: number, more: SimpleMemOptions["window"] = {}) => ({ window: { size, idleMs: 0, ...more } });

describe("writing makes one call for a window, one more to compare, and embeds once (R77)", () => {
  it.each<[string, readonly TurnInput[], Partial<SimpleMemOptions>, number]>([
    ["20 turns, 10 to a window", turns(20), window(10), 2],
    ["exactly one window", turns(10), window(10), 1],
    ["one turn more than a window", turns(11), window(10), 2],
    ["one turn", turns(1), window(10), 1],
    ["windows of one turn", turns(5), window(1), 5],
    ["two sessions", turns(10, (index) => ({ sessionId: `s${index % 2}` })), window(10), 2],
    ["two speakers", turns(10, (index) => ({ speaker: ["Ilse", "Bram"][index % 2] ?? "" })), window(10), 1],
    ["an overlap as large as a window", turns(20), window(10, { overlap: 10 }), 2],
    ["no overlap", turns(20), window(10, { overlap: 0 }), 2],
    ["a cap of tokens", turns(20), window(1000, { maxTokens: 100 }), 2],
    ["Chinese", turns(20, (index) => ({ content: `我在磨坊旁边养了第${index}箱蜜蜂。` })), window(10), 2],
    ["turns that say the same", turns(20, () => ({ content: line(1) })), window(10), 2],
    ["times a year apart", turns(10, (index) => ({ timestamp: `${2000 + index}-01-01` })), window(10), 1],
  ])("%s", async (_title, said, options, windows) => {
    const { memory, model, embeddings } = await openWith(options);
    await memory.add(said);
    const report = await memory.flush();
    expect(report.windows).toEqual({ stored: windows, failed: 0, pending: 0 });
    expect(model.prompts.filter(isExtraction)).toHaveLength(windows);
    expect(model.prompts.filter(isComparison).length).toBeLessThanOrEqual(windows);
    expect(report.usage.modelCalls).toBe(model.calls);
    expect(embeddings.documentCalls).toBeLessThanOrEqual(windows);
  });

  it("a window with nothing to remember is compared with nothing", async () => {
    const { memory, model, embeddings } = await openWith(window(10), () => "[]");
    await memory.add(turns(10));
    await memory.flush();
    expect(model.calls).toBe(1);
    expect(embeddings.documentCalls).toBeLessThanOrEqual(1);
  });
});

/** A folder that holds so many facts about hives. */
async function seeded(rows: number): Promise<string> {
  const uri = freshFolder();
  const store = await openStore({ uri });
  await store.ensureDimension(8, "fake-8");
  const facts = Array.from({ length: rows }, (_, index) =>
    entryRow(
      {
        entryId: `e${index}`,
        losslessRestatement: `Ilse keeps hive number ${10_000 + index} by the mill.`,
        persons: ["Ilse"],
        embeddingModel: "fake-8",
      },
      { vector: SAME(), words: `ilse keep hive number ${10_000 + index} mill` },
    ),
  );
  await store.entries.put(ILSE, facts);
  await store.close();
  return uri;
}

describe("a prompt does not grow with the store (R77)", () => {
  const QUESTIONS = ["What does Ilse keep?", "Why does Ilse keep hives by the mill, and since when?"] as const;

  async function promptsOver(rows: number): Promise<Map<string, number>> {
    const { memory, model } = await openWith({ uri: await seeded(rows), ...window(10) }, (prompt) => {
      if (prompt.includes("You plan")) return JSON.stringify({ queries: ["Ilse keeps a hive"], complexity: 0.9 });
      if (prompt.includes("You judge")) return '{"sufficient":true}';
      return prompt.includes("You answer") ? '{"answer":"Hives.","citations":[1]}' : restating(prompt);
    });
    await memory.add(turns(20, () => ({ timestamp: "2025-03-05" })));
    await memory.flush();
    for (const question of QUESTIONS) await memory.ask(question);
    const kinds = new Map<string, number>();
    for (const prompt of model.prompts) {
      const kind = /^You \w+/.exec(prompt)?.[0] ?? "";
      kinds.set(kind, Math.max(kinds.get(kind) ?? 0, prompt.length));
    }
    return kinds;
  }

  it("of extraction, comparison, plan, reflection and answer alike: 40 facts or 5,000", async () => {
    const [few, many] = [await promptsOver(40), await promptsOver(5000)];
    expect([...few.keys()].sort()).toEqual(["You answer", "You compare", "You judge", "You plan", "You rewrite"]);
    for (const [kind, length] of few) {
      expect([kind, Math.abs((many.get(kind) ?? 0) - length) / length < 0.1]).toEqual([kind, true]);
    }
  });
});

describe("a search without planning asks no model, and embeds its question once (R77)", () => {
  it.each([
    "hives",
    "What does Ilse keep?",
    "When did Ilse get hive number 3?",
    "Which hives do both Ilse and Bram keep, and why?",
    "Tell me everything about the hives by the mill before March 2025.",
    "Where is it?",
    "伊尔塞养了什么？",
    "hive OR mill AND (number",
    "Ilse's hive, hive, hive",
    "?",
    "x".repeat(2000),
  ])("%s", async (question) => {
    const { memory, model, embeddings } = await openWith(window(10));
    await memory.add(turns(3));
    await memory.flush();
    const before = model.calls;
    const { usage } = await memory.search(question, { planning: "never" });
    expect([model.calls - before, usage.modelCalls, embeddings.queryCalls, usage.embeddedTexts]).toEqual([0, 0, 1, 1]);
  });
});
