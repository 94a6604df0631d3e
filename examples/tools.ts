/** An agent that keeps a fact by a tool, and finds it in a later conversation. */
import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createAgent } from "langchain";
import { createMemoryTools } from "../src/agents/tools.js";
import { SimpleMem } from "../src/index.js";

await using simplemem = await SimpleMem.open({ uri: "memory://" });
const tools = createMemoryTools({
  scopeFrom: ({ context, configurable }) =>
    simplemem.scope({ userId: context?.userId ?? "", sessionId: configurable?.thread_id }),
});

// A scripted model in place of yours: it keeps a fact, looks it up, and answers with the last tool's result.
const model = fakeModel()
  .respondWithTools([{ name: "remember_fact", args: { key: "home.city", value: "Porthaven" } }])
  .respond(new AIMessage("Kept."))
  .respondWithTools([{ name: "recall_facts", args: { pattern: "home.*", all_sessions: true } }])
  .respond((messages) => new AIMessage(`I know: ${messages.at(-1)?.text}`));

const agent = createAgent({ model, tools });
const ask = async (content: string, thread_id: string): Promise<string> => {
  const run = { context: { userId: "ilse" }, configurable: { thread_id } };
  const { messages } = await agent.invoke({ messages: [{ role: "user", content }] }, run);
  return messages.at(-1)?.text ?? "";
};

await ask("I moved to Porthaven. Keep that.", "monday");
const answer = await ask("Where do I live?", "tuesday");
console.log(answer);
assert.equal(answer, "I know: home.city = Porthaven [general]");
