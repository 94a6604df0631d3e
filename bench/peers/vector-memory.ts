import { VectorStoreRetrieverMemory } from "@langchain/classic/memory";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { type Peer, peerTurns } from "./peer.js";

/** The memory of classic LangChain over its vector store in memory. Turns go in as documents, so that they keep their ids. */
export const vectorMemory: Peer = {
  name: "VectorStoreRetrieverMemory 1.0",
  async fill(conversation, embeddings) {
    const store = new MemoryVectorStore(embeddings);
    await store.addDocuments(peerTurns(conversation).map(({ id, text }) => ({ pageContent: text, metadata: { id } })));
    return {
      async search(question, k) {
        const memory = new VectorStoreRetrieverMemory({
          vectorStoreRetriever: store.asRetriever(k),
          inputKey: "input",
          memoryKey: "found",
          returnDocs: true,
        });
        const { found } = await memory.loadMemoryVariables({ input: question });
        const documents: { pageContent: string; metadata: { id?: unknown } }[] = found;
        return documents.map(({ pageContent, metadata }) => ({ text: pageContent, sourceIds: [String(metadata.id)] }));
      },
    };
  },
};
