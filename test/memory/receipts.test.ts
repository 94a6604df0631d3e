import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { addUsage, emptyUsage, type Usage } from "../../src/records/index.js";
import { FakeEmbeddings, fact, httpError, reply, ScriptedModel } from "../support/fakes.js";

/** A model that counts its own tokens: 100 in, 7 out. */
class CountingModel extends ScriptedModel {
  override async _generate(messages: BaseMessage[]) {
    const text = await this._call(messages);
    const usage_metadata = { input_tokens: 100, output_tokens: 7, total_tokens: 107 };
    return { generations: [{ text, message: new AIMessage({ content: text, usage_metadata }) }] };
  }
}

async function openWith(options: Partial<SimpleMemOptions>) {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    embeddings: new FakeEmbeddings(),
    window: { idleMs: 0, size: 1 },
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
}

const said = (content: string) => ({ speaker: "Ilse", content, timestamp: "2025-03-04T10:00:00Z" });
const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));
const roomIn = (prompt: string): string => /room (\d+)/.exec(newLines(prompt))?.[1] ?? "";
const restating = (prompt: string): string =>
  prompt.includes("You compare") ? '{"operations":[]}' : reply(fact(`Ilse paints room ${roomIn(prompt)} blue`));
const answering = (prompt: string): string =>
  prompt.includes("You answer") ? '{"answer":"Blue.","citations":[1]}' : restating(prompt);
const rooms = (count: number) => Array.from({ length: count }, (_, room) => said(`I paint room ${room} blue.`));

it("a receipt counts calls, tokens as the model counted them, and the milliseconds of each stage", async () => {
  let now = Date.parse("2025-03-04T12:00:00Z");
  const model = new CountingModel([
    (prompt) => {
      now += prompt.includes("You answer") ? 30 : 1000;
      return answering(prompt);
    },
  ]);
  const memory = await openWith({ llm: model, clock: () => now });
  await memory.add(rooms(1));
  const written = (await memory.flush()).usage;
  expect(written).toMatchObject({ modelCalls: 1, promptTokens: 100, completionTokens: 7, retries: 0 });
  expect(written.ms).toEqual({ window: 0, extract: 1000, consolidate: 0, store: 0 });
  const asked = (await memory.ask("Which room does Ilse paint?")).usage;
  expect(asked).toMatchObject({ modelCalls: 1, promptTokens: 100, completionTokens: 7, embeddedTexts: 1 });
  expect(asked.ms).toEqual({ plan: 0, retrieve: 0, answer: 30 });
});

it("the totals are the sum of all receipts, of failed and repeated calls too", async () => {
  let calls = 0;
  const model = new CountingModel([
    (prompt) => {
      calls += 1;
      if (calls === 1) return "No JSON.";
      if (calls === 3) return Promise.reject(httpError(400));
      return answering(prompt);
    },
  ]);
  const memory = await openWith({ llm: model, limits: { maxConcurrency: 1 } });
  const receipts: Usage[] = [];
  await memory.add(rooms(2));
  for (let round = 0; round < 2; round++) receipts.push((await memory.flush()).usage);
  receipts.push((await memory.ask("Which room does Ilse paint?")).usage, (await memory.search("blue")).usage);
  const { totals } = await memory.stats();
  expect(totals).toEqual(receipts.reduce(addUsage, emptyUsage()));
  expect(totals).toMatchObject({
    modelCalls: calls,
    retries: 1,
    completionTokens: 7 * (calls - 1),
  });
});

it("a flush that is ended from outside keeps what it stored and spent for the next report", async () => {
  const controller = new AbortController();
  const model = new CountingModel([
    (prompt) => {
      if (!prompt.includes("You compare")) return restating(prompt);
      controller.abort(new Error("enough"));
      return new Promise<string>(() => {});
    },
  ]);
  const embeddings = new FakeEmbeddings(8, () => [1, 0, 0, 0, 0, 0, 0, 0.1]);
  const memory = await openWith({ llm: model, embeddings });
  await memory.add(rooms(3).map((turn, index) => ({ ...turn, timestamp: `2025-03-0${index + 1}` })));
  await expect(memory.flush({ signal: controller.signal })).rejects.toThrow("enough");
  expect((await memory.stats()).totals.modelCalls).toBeGreaterThanOrEqual(3);
  const { pending, stored } = (await memory.stats()).windows;
  expect(pending + stored).toBe(3);
});

it.each([1, 2, 5])("no more than %i windows are extracted at the same time", async (maxConcurrency) => {
  let open = 0;
  let most = 0;
  let letGo = (): void => {};
  const full = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const model = new ScriptedModel([
    async (prompt) => {
      open += 1;
      most = Math.max(most, open);
      if (open === maxConcurrency) letGo();
      await full;
      // Whoever were let in beside them would come now.
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return restating(prompt);
    },
  ]);
  const memory = await openWith({ llm: model, limits: { maxConcurrency } });
  await memory.add(rooms(7));
  expect((await memory.flush()).windows.stored).toBe(7);
  expect(most).toBe(maxConcurrency);
});

it("tells how much of what was said is found in what was stored, and in how many words", async () => {
  const model = new ScriptedModel([
    (prompt) =>
      newLines(prompt).includes("room 4")
        ? reply(fact("Ilse does not paint room 4"))
        : reply(fact("Ilse paints a room")),
  ]);
  const memory = await openWith({ llm: model, countTokens: (text) => text.length });
  await memory.add(said("I do not paint room 4."));
  const whole = await memory.flush();
  expect(whole.fidelity).toBe(1);
  expect(whole.compression).toBeCloseTo("Ilse does not paint room 4".length / "I do not paint room 4.".length);
  await memory.add(said("I paint room 5."));
  const poor = await memory.flush();
  expect(poor.fidelity).toBe(0);
  const { fidelity, compression } = await memory.stats();
  expect(fidelity).toBeGreaterThan(poor.fidelity);
  expect(fidelity).toBeLessThan(whole.fidelity);
  expect(compression).toBeGreaterThan(0);
});
