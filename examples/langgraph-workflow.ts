/** A LangGraph workflow that recalls before it answers, and remembers after: what one thread was told, another knows. */
import assert from "node:assert/strict";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { END, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import { createRecallNode, createRememberNode, type MemoryRuntime } from "../src/graph/door.js";
import { SimpleMem } from "../src/index.js";

await using simplemem = await SimpleMem.open({ uri: "memory://" });
const scopeFrom = ({ configurable }: MemoryRuntime) =>
  simplemem.scope({ userId: configurable?.userId, sessionId: configurable?.thread_id });

// A scripted model in place of yours: it answers with the line of its system message that speaks of the greyhound.
const model = fakeModel();
for (let call = 0; call < 3; call++) {
  model.respond(([system]) => {
    const line = system?.text.split("\n").find((one) => one.includes("greyhound"));
    return new AIMessage(line ?? "I did not know that.");
  });
}

const workflow = new StateGraph(new StateSchema({ messages: MessagesValue, recalled: z.string().default("") }))
  .addNode("recall", createRecallNode({ scopeFrom }))
  .addNode("answer", async ({ messages, recalled }) => ({
    messages: [await model.invoke([new SystemMessage(recalled || "Nothing is remembered."), ...messages])],
  }))
  .addNode("remember", createRememberNode({ scopeFrom }))
  .addEdge(START, "recall")
  .addEdge("recall", "answer")
  .addEdge("answer", "remember")
  .addEdge("remember", END)
  .compile({ checkpointer: new MemorySaver() });

const say = async (userId: string, thread_id: string, content: string): Promise<string> => {
  const { messages } = await workflow.invoke(
    { messages: [new HumanMessage(content)] },
    { configurable: { userId, thread_id } },
  );
  return messages.at(-1)?.text ?? "";
};

const first = await say("ilse", "monday", "My greyhound Rill sleeps near the stove.");
const second = await say("ilse", "tuesday", "Where does my dog Rill sleep?");
const other = await say("bram", "wednesday", "Where does Rill sleep?");
console.log(`ilse, monday: ${first}\nilse, tuesday: ${second}\nbram: ${other}`);
assert.equal(first, "I did not know that.");
assert.match(second, /sleeps near the stove/);
assert.equal(other, "I did not know that.");
