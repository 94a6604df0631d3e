import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings, fact, httpError, reply, ScriptedModel } from "../support/fakes.js";

const NEVER = () => new Promise<never>(() => {});
const SAID = "The greyhound of Ilse eats fish.";

async function openWith(options: Partial<SimpleMemOptions>) {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(),
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
}

describe("ten questions over an embedder that is dead: words alone find, the result says so, and it is asked three times (R78)", () => {
  const vector =
    (...values: number[]) =>
    async () =>
      values;
  it.each<[string, () => Promise<number[]>]>([
    ["never answers", NEVER],
    ["rejects", () => Promise.reject(new Error("busy"))],
    ["rejects with a status", () => Promise.reject(httpError(503))],
    ["rejects with what is no error", () => Promise.reject("busy")],
    [
      "throws before it answers",
      () => {
        throw new Error("no key");
      },
    ],
    [
      "rejects after a while",
      async () => {
        await Promise.resolve();
        throw new Error("reset");
      },
    ],
    ["answers nothing", vector()],
    ["answers no numbers", vector(...Array<number>(8).fill(Number.NaN))],
    ["answers what is endless", vector(...Array<number>(8).fill(Number.POSITIVE_INFINITY))],
    ["answers zeros", vector(...Array<number>(8).fill(0))],
    ["answers null", async () => JSON.parse("null")],
  ])("%s", async (_title, answer) => {
    const embeddings = new FakeEmbeddings();
    const memory = await openWith({ embeddings, limits: { embedTimeoutMs: 20 } });
    await memory.add({ speaker: "Ilse", content: SAID });
    await memory.flush();
    let calls = 0;
    embeddings.embedQuery = () => {
      calls += 1;
      return answer();
    };
    for (let question = 0; question < 10; question++) {
      const { hits, degraded } = await memory.search("greyhound", { planning: "never" });
      expect(degraded).toMatch(/^searched by words only: ./);
      expect(hits[0]?.text).toMatch(/greyhound/);
    }
    expect(calls).toBeLessThanOrEqual(3);
  });
});

describe("a model that stalls in one stage is left behind, and what can be done without it is done (R78)", () => {
  const answers = (stalled: string) => (prompt: string) => {
    if (prompt.includes(stalled)) return NEVER();
    if (prompt.includes("You plan")) return JSON.stringify({ queries: ["greyhound"], complexity: 0.9 });
    if (prompt.includes("You judge")) return '{"sufficient":false,"missing":["fish"],"queries":["fish"]}';
    if (prompt.includes("SOURCES:")) return "Fish.\nSOURCES: 1";
    if (prompt.includes("You answer")) return JSON.stringify({ answer: "Fish.", citations: [1] });
    return prompt.includes("You compare") ? '{"operations":[]}' : reply(fact("Ilse's greyhound eats fish"));
  };
  const QUESTION = "Why does the greyhound of Ilse eat fish, and since when?";

  async function openStalled(stalled: string) {
    const model = new ScriptedModel([answers(stalled)]);
    const memory = await openWith({ llm: model, limits: { stageTimeoutMs: 40, tries: 20 } });
    await memory.add({ speaker: "Ilse", content: SAID });
    return { model, memory };
  }

  it.each([
    ["the plan", "You plan", false],
    ["the reflection", "You judge", false],
    ["the answer", "You answer", true],
  ])("%s: the question is answered, and later questions wait no more", async (_title, stalled, isByRules) => {
    const { model, memory } = await openStalled(stalled);
    await memory.flush();
    const isStalled = (prompt: string): boolean => prompt.includes(stalled);
    for (let question = 0; question < 8; question++) {
      const { answer, degraded } = await memory.ask(QUESTION, { planning: "always" });
      expect(answer).toMatch(/fish/i);
      if (isByRules && question < 3) expect(degraded).toMatch(/by rules/);
    }
    const stalls = model.prompts.filter(isStalled).length;
    if (isByRules) expect(stalls).toBe(3);
    else expect(stalls).toBeLessThanOrEqual(8);
  });

  it("a stream before its first piece: the rules' answer comes in one", async () => {
    const { memory } = await openStalled("SOURCES:");
    await memory.flush();
    const pieces: string[] = [];
    const stream = memory.streamAsk("What does the greyhound eat?");
    let next = await stream.next();
    for (; next.done !== true; next = await stream.next()) pieces.push(next.value);
    expect(pieces.join("")).toMatch(/fish/i);
    expect(next.value).toMatchObject({ degraded: expect.stringMatching(/by rules/), usage: { modelCalls: 1 } });
  });

  it("the extraction: the window waits, no other stage does, and raw turns are found", async () => {
    const { model, memory } = await openStalled("One entry states one fact");
    let counted = 0;
    for (let round = 0; round < 6; round++) {
      const { windows, usage } = await memory.flush();
      expect(windows.pending).toBe(1);
      counted += usage.modelCalls;
    }
    expect([model.calls, counted, (await memory.stats()).totals.modelCalls]).toEqual([3, 3, 3]);
    expect((await memory.search("greyhound")).hits[0]?.text).toBe(SAID);
  });

  it("the comparison: the window waits with what was extracted, and is not extracted again", async () => {
    const model = new ScriptedModel([
      (prompt) =>
        prompt.includes("You compare")
          ? NEVER()
          : reply(
              fact(prompt.includes("harbour.") ? "Ilse rows in the harbour" : "Ilse mends clocks", {
                persons: ["Ilse"],
              }),
            ),
    ]);
    const embeddings = new FakeEmbeddings(8, () => [1, 0, 0, 0, 0, 0, 0, 0.1]);
    const memory = await openWith({ llm: model, embeddings, limits: { stageTimeoutMs: 40, tries: 20 } });
    await memory.add({ speaker: "Ilse", content: "I mend clocks." });
    await memory.flush();
    await memory.add({ speaker: "Ilse", content: "I row in the harbour." });
    for (let round = 0; round < 5; round++) expect((await memory.flush()).windows.pending).toBe(1);
    expect(model.prompts.filter((prompt) => prompt.includes("One entry states one fact"))).toHaveLength(2);
    expect(model.prompts.filter((prompt) => prompt.includes("You compare"))).toHaveLength(3);
  });

  it("a question that its caller ends rejects with the caller's reason, and counts against nobody", async () => {
    const { model, memory } = await openStalled("You answer");
    await memory.flush();
    for (let question = 0; question < 4; question++) {
      const { signal, abort } = (() => {
        const controller = new AbortController();
        return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
      })();
      const asked = memory.ask("What does the greyhound eat?", { signal });
      setImmediate(abort);
      await expect(asked).rejects.toThrow("enough");
    }
    const before = model.calls;
    await memory.ask("What does the greyhound eat?");
    expect(model.calls).toBeGreaterThan(before);
  });
});
