import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import type { Reflection } from "../../src/stages/reflect/reflector.js";
import { FakeEmbeddings } from "../support/fakes.js";

const SENTENCES = ["The heron nests in the mill.", "The otter sleeps by the weir.", "The badger digs under the barn."];
const SUFFICIENT: Reflection = { sufficient: true, missing: [], queries: [] };
const asking = (...queries: string[]): Reflection => ({ sufficient: false, missing: queries, queries });

/** Searches by words alone; each reflection answers with the next of the script, the last one again and again. */
async function search(script: readonly Reflection[], limits: SimpleMemOptions["limits"] = {}) {
  const embeddings = new FakeEmbeddings();
  const seen: number[] = [];
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    embeddings,
    limits,
    window: { idleMs: 0 },
    stages: {
      reflect: {
        reflect: async ({ hits }) => {
          seen.push(hits.length);
          return script[Math.min(seen.length, script.length) - 1] ?? SUFFICIENT;
        },
      },
    },
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse" });
  // Each in a session of its own: turns of one session are found by each other's words, too.
  await memory.add(SENTENCES.map((content, index) => ({ speaker: "Ilse", content, sessionId: `s${index}` })));
  await memory.flush();
  const question = "Why did the heron and the crane come, and since when?";
  const result = await memory.search(question, { views: ["lexical"], k: 20, planning: "auto" });
  return { ...result, texts: result.hits.map(({ text }) => text), reflections: seen.length, seen };
}

describe("reflection asks for exactly what is missing, and stops", () => {
  it("when it is satisfied", async () => {
    const { rounds, reflections, texts } = await search([SUFFICIENT]);
    expect([rounds, reflections]).toEqual([1, 1]);
    expect(texts.join()).toContain("heron");
    expect(texts.join()).not.toContain("otter");
  });

  it("after a round in which it got what it asked for, in its own words", async () => {
    const { rounds, reflections, texts, seen } = await search([asking("otter"), SUFFICIENT]);
    expect([rounds, reflections]).toEqual([2, 2]);
    expect(texts.join()).toContain("otter");
    expect(texts.join()).not.toContain("badger");
    expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
  });

  it("after a round that brought nothing new, without asking the reflector again", async () => {
    const { rounds, reflections, texts } = await search([asking("submarine"), asking("otter")], {
      maxReflectionRounds: 5,
    });
    expect([rounds, reflections]).toEqual([2, 1]);
    expect(texts.join()).not.toContain("otter");
  });

  it("when it asks for nothing, although it is not satisfied", async () => {
    const { rounds, reflections } = await search([asking()]);
    expect([rounds, reflections]).toEqual([1, 1]);
  });

  it.each([
    [0, 1, 0],
    [1, 2, 1],
    [2, 3, 2],
  ])("after %i rounds at most, whatever is missing", async (maxReflectionRounds, rounds, reflections) => {
    const script = [asking("otter"), asking("badger"), asking("mill weir barn")];
    const found = await search(script, { maxReflectionRounds });
    expect([found.rounds, found.reflections]).toEqual([rounds, reflections]);
  });
});
