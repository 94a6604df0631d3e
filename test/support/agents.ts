import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type FakeBuiltModel, fakeModel } from "@langchain/core/testing";
import { onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings } from "./fakes.js";

/** An open memory without timers, closed when the test ends. */
export async function openMemory(options: Partial<SimpleMemOptions> = {}): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(),
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem;
}

/** A model that answers each of so many calls by a rule. */
export function answering(calls: number, answer: (messages: BaseMessage[]) => string): FakeBuiltModel {
  const model = fakeModel();
  for (let call = 0; call < calls; call++) model.respond((messages) => new AIMessage(answer(messages)));
  return model;
}

/** The text of the system message of one call; "" when it had none. */
export function systemTextOf(model: FakeBuiltModel, call: number): string {
  const first = model.calls[call]?.messages[0];
  return first?.getType() === "system" ? first.text : "";
}

/** What was said, as the log holds it, by the episodic view. */
export async function saidIn(memory: ReturnType<SimpleMem["scope"]>, query: string): Promise<string[]> {
  const { hits } = await memory.search(query, { views: ["episodic"], k: 100, planning: "never" });
  return hits.map((hit) => `${hit.speaker}: ${hit.text}`);
}
