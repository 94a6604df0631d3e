import { InMemoryStore } from "@langchain/langgraph";
import { type Peer, peerTurns } from "./peer.js";

/** LangGraph's store, with an index over the text. */
export const langGraphStore: Peer = {
  name: "LangGraph InMemoryStore 1.7",
  async fill(conversation, embeddings) {
    const store = new InMemoryStore({ index: { dims: embeddings.dimension, embeddings, fields: ["text"] } });
    const namespace = ["memories", "user"];
    for (const { id, text } of peerTurns(conversation)) await store.put(namespace, id, { text });
    return {
      async search(question, k) {
        const items = await store.search(namespace, { query: question, limit: k });
        return items.map(({ key, value }) => ({ text: String(value.text), sourceIds: [key] }));
      },
    };
  },
};
