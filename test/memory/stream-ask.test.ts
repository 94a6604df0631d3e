import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { expect, it, onTestFinished, vi } from "vitest";
import { type Answer, InvalidInputError, type ScopedMemory, SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";

/** Writes piece after piece, as told; a function in place of a piece is awaited. */
class PieceModel extends ScriptedModel {
  isStopped = false;

  constructor(private readonly pieces: readonly (string | (() => Promise<string>))[]) {
    super([reply(fact("Ilse's greyhound eats fish"))]);
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    options.signal?.addEventListener("abort", () => {
      this.isStopped = true;
    });
    const isAnswer = messages.some((message) => message.text.includes("SOURCES:"));
    for (const piece of isAnswer ? this.pieces : [await this._call(messages)]) {
      const text = typeof piece === "string" ? piece : await piece();
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
      await runManager?.handleLLMNewToken(text);
    }
  }
}

async function openWith(model: ScriptedModel, limits = {}): Promise<ScopedMemory> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    llm: model,
    embeddings: new FakeEmbeddings(),
    window: { idleMs: 0 },
    limits,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
  await memory.add({ id: "t1", speaker: "Ilse", content: "My greyhound eats fish." });
  await memory.flush();
  return memory;
}

const QUESTION = "What does the greyhound of Ilse eat?";

/** Reads a stream to its end: the pieces, and the answer or what was thrown. */
async function readAll(stream: AsyncGenerator<string, Answer>) {
  const pieces: string[] = [];
  try {
    let next = await stream.next();
    for (; next.done !== true; next = await stream.next()) pieces.push(next.value);
    return { pieces, answer: next.value };
  } catch (error) {
    return { pieces, error };
  }
}

it("tells the pieces as they come, and returns the answer with its proof and cost", async () => {
  const memory = await openWith(new PieceModel(["Fish", " and", " rice.", "\nSOUR", "CES: 1"]));
  const { pieces, answer } = await readAll(memory.streamAsk(QUESTION));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe("Fish and rice.");
  expect(answer).toMatchObject({ answer: "Fish and rice.", abstained: false, usage: { modelCalls: 1 } });
  expect(answer?.citations[0]?.sourceIds).toEqual(["t1"]);
});

it.each([
  ["a failing connection", () => Promise.reject(new Error("Connection error."))],
  ["too many requests", () => Promise.reject(Object.assign(new Error("429"), { status: 429 }))],
  ["an error of its own", () => Promise.reject(new Error("filtered"))],
  ["the deadline", () => new Promise<string>(() => {})],
])(
  "an answer that breaks off after its first piece, by %s, is an error, told once, and counted",
  async (_title, end) => {
    const memory = await openWith(new PieceModel(["Fish and lots of", " rice and", end]), { stageTimeoutMs: 300 });
    const before = (await memory.stats()).totals.modelCalls;
    const { pieces, answer, error } = await readAll(memory.streamAsk(QUESTION));
    expect(answer).toBeUndefined();
    expect(String(error)).toMatch(/SimpleMemError: simplemem-langchain: the answer broke off: /);
    expect("Fish and lots of rice and").toContain(pieces.join(""));
    expect(pieces.join("")).toMatch(/^Fish/);
    expect((await memory.stats()).totals.modelCalls - before).toBe(1);
  },
);

it("an abstention yields nothing, and says why", async () => {
  const memory = await openWith(new PieceModel(["NOT FOUND: nothing", " tells of it"]));
  const { pieces, answer } = await readAll(memory.streamAsk(QUESTION));
  expect(pieces).toEqual([]);
  expect(answer).toMatchObject({ answer: "", abstained: true, reason: "nothing tells of it" });
});

it("a reader that stops early stops the model", async () => {
  const model = new PieceModel(["Fish and lots of", " rice and", () => new Promise(() => {})]);
  const memory = await openWith(model);
  for await (const piece of memory.streamAsk(QUESTION)) {
    expect(piece).toMatch(/^Fish/);
    break;
  }
  await vi.waitFor(() => expect(model.isStopped).toBe(true));
});

it("a signal of the reader's stops the model, and its reason is thrown", async () => {
  const model = new PieceModel(["Fish and lots of", " rice and", () => new Promise(() => {})]);
  const memory = await openWith(model);
  const controller = new AbortController();
  const stream = memory.streamAsk(QUESTION, { signal: controller.signal });
  await stream.next();
  controller.abort(new Error("enough"));
  await expect(
    (async () => {
      for await (const _piece of stream);
    })(),
  ).rejects.toThrow(/enough|Abort/);
  expect(model.isStopped).toBe(true);
});

it("asks nothing before the first piece is wanted; a blank question is an abstention, a wrong option an error", async () => {
  const model = new PieceModel(["Fish."]);
  const memory = await openWith(model);
  const before = model.calls;
  memory.streamAsk(QUESTION);
  expect((await readAll(memory.streamAsk(" "))).answer).toMatchObject({ abstained: true });
  expect((await readAll(memory.streamAsk(QUESTION, { k: 0 }))).error).toBeInstanceOf(InvalidInputError);
  expect(model.calls).toBe(before);
});
