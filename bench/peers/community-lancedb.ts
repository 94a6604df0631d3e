import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LanceDB } from "@langchain/community/vectorstores/lancedb";
import { type Peer, peerTurns } from "./peer.js";

/** The vector store of LangChain's community over LanceDB, in a folder of its own. */
export const communityLanceDb: Peer = {
  name: "community LanceDB 1.1",
  async fill(conversation, embeddings) {
    const folder = mkdtempSync(join(tmpdir(), "peers-lancedb-"));
    const documents = peerTurns(conversation).map(({ id, text }) => ({ pageContent: text, metadata: { id } }));
    const store = await LanceDB.fromDocuments(documents, embeddings, { uri: folder, textKey: "text" });
    return {
      folder,
      async search(question, k) {
        const found = await store.similaritySearch(question, k);
        return found.map(({ pageContent, metadata }) => ({ text: pageContent, sourceIds: [String(metadata.id)] }));
      },
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};
