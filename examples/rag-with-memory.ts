/** Retrieval-augmented generation that knows its user: memory says which engine, the manual says which oil. */
import assert from "node:assert/strict";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { Document } from "@langchain/core/documents";
import { AIMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { fakeModel } from "@langchain/core/testing";
import { LocalEmbeddings, SimpleMem } from "../src/index.js";
import { createRagPrompt } from "../src/retrievers/door.js";

await using simplemem = await SimpleMem.open({ uri: "memory://" });
const memory = simplemem.scope({ userId: "ilse" });
await memory.add({ speaker: "Ilse", content: "I sold the old boat; the new one has a diesel engine." });

const manual = await MemoryVectorStore.fromDocuments(
  [
    new Document({ pageContent: "A diesel engine takes 15W-40 oil." }),
    new Document({ pageContent: "A petrol engine takes 10W-30 oil." }),
    new Document({ pageContent: "Wash the sails with fresh water." }),
  ],
  new LocalEmbeddings(),
);

// A scripted model in place of yours: it reads which engine the user has, then the line of the manual about it.
const model = fakeModel().respond(([system]) => {
  const known = system?.text ?? "";
  const engine = /new one has a (\w+) engine/.exec(known)?.[1];
  return new AIMessage(new RegExp(`${engine} engine takes (\\S+) oil`).exec(known)?.[1] ?? "I do not know.");
});

const prompt = createRagPrompt({ memory, retriever: manual.asRetriever(2) });
const answer = await prompt
  .pipe(model)
  .pipe(new StringOutputParser())
  .invoke("Which oil does the engine of my boat take?");
console.log(answer);
assert.equal(answer, "15W-40");
