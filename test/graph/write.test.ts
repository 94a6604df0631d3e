import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, fact, httpError, reply, ScriptedModel } from "../support/fakes.js";

const WINDOWS = 25;

/** The warnings of the process from now to the end of the test. */
function warningsFromNow(): Error[] {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return warnings;
}

const roomIn = (prompt: string): string => /room (\d+)/.exec(prompt.slice(prompt.lastIndexOf("\nNEW")))?.[1] ?? "";

describe(`a flush of ${WINDOWS} windows`, () => {
  it.each([
    ["without a signal", {}],
    ["with a signal of the caller's", { signal: new AbortController().signal }],
  ])("prints no warning, and stores in the order of speech, %s", async (_title, options) => {
    const warnings = warningsFromNow();
    // The later a window, the sooner its reply.
    const model = new ScriptedModel([
      async (prompt) => {
        const room = roomIn(prompt);
        for (let turn = Number(room); turn < WINDOWS; turn++) await Promise.resolve();
        return reply(fact(`The code of room ${room} is ${4000 + Number(room)}`));
      },
    ]);
    await using simplemem = await SimpleMem.open({
      uri: "memory://",
      llm: model,
      embeddings: new FakeEmbeddings(),
      window: { size: 1, idleMs: 0 },
      limits: { maxConcurrency: 64 },
      stages: {
        consolidate: {
          consolidate: async ({ items }) => ({ decisions: items.map(() => ({ op: "add" })), rejections: [] }),
        },
      },
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    const content = (room: number): string => `The code of room ${room} is ${4000 + room}.`;
    await memory.add(Array.from({ length: WINDOWS }, (_, room) => ({ speaker: "Ilse", content: content(room) })));
    const report = await memory.flush(options);
    expect(report.windows).toEqual({ stored: WINDOWS, failed: 0, pending: 0 });
    const { items } = await memory.list();
    expect(items.map((entry) => `${entry.losslessRestatement}.`)).toEqual(
      Array.from({ length: WINDOWS }, (_, room) => content(room)),
    );
    expect(warnings).toEqual([]);
  });

  it("prints none either when each of them fails, and keeps all", async () => {
    const warnings = warningsFromNow();
    await using simplemem = await SimpleMem.open({
      uri: "memory://",
      llm: new ScriptedModel([httpError(400)]),
      embeddings: new FakeEmbeddings(),
      window: { size: 1, idleMs: 0 },
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(
      Array.from({ length: WINDOWS }, (_, room) => ({ speaker: "Ilse", content: `I am in room ${room}.` })),
    );
    expect((await memory.flush()).windows).toEqual({ stored: 0, failed: 0, pending: WINDOWS });
    expect(warnings).toEqual([]);
    await simplemem.close({ flush: false });
  });
});
