/** A ConversationChain that remembers earlier conversations. */
import assert from "node:assert/strict";
import { ConversationChain } from "@langchain/classic/chains";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { SimpleMem } from "../src/index.js";
import { SimpleMemMemory } from "../src/memory/index.js";

await using simplemem = await SimpleMem.open({ uri: "memory://" });
const chainFor = (sessionId: string, replies: string[]) =>
  new ConversationChain({
    // A scripted model in place of yours.
    llm: new FakeListChatModel({ responses: replies }),
    memory: new SimpleMemMemory({
      memory: simplemem.scope({ userId: "ilse", sessionId }),
      humanPrefix: "Ilse",
      aiPrefix: "Sage",
    }),
  });

await chainFor("monday", ["Lovely!"]).invoke({ input: "My greyhound Rill sleeps near the stove." });

const tuesday = chainFor("tuesday", ["Near the stove."]);
const { history } = (await tuesday.memory?.loadMemoryVariables({ input: "Where does Rill sleep?" })) ?? {};
console.log(history);
assert.match(history, /Rill sleeps near the stove/);
const { response } = await tuesday.invoke({ input: "Where does Rill sleep?" });
assert.equal(response, "Near the stove.");
