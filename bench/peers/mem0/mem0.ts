import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvalConversation } from "../../../src/eval/index.js";
import type { LocalEmbeddings } from "../../../src/models/index.js";
import { type Peer, peerTurns } from "../peer.js";

const USER = "peer";
/** Its default leaves out what is less alike than .1. */
const ANY_SCORE = 0;
const UNUSED_KEY = "no model is asked";

/** mem0ai's open-source memory as its documentation sets it up, with its model left out (`infer: false`). */
export const mem0: Peer = {
  name: "mem0ai 3.3 OSS, infer off",
  async fill(conversation: EvalConversation, embeddings: LocalEmbeddings) {
    // Read at import: no usage data leaves this machine.
    process.env.MEM0_TELEMETRY = "false";
    const { Memory } = await import("mem0ai/oss");
    const folder = mkdtempSync(join(tmpdir(), "peers-mem0-"));
    const { dimension } = embeddings;
    const memory = new Memory({
      embedder: { provider: "langchain", config: { model: embeddings, embeddingDims: dimension } },
      vectorStore: {
        provider: "memory",
        config: { collectionName: USER, dimension, dbPath: join(folder, "vectors.db") },
      },
      llm: { provider: "openai", config: { apiKey: UNUSED_KEY } },
      historyDbPath: join(folder, "history.db"),
    });
    for (const { id, text } of peerTurns(conversation)) {
      await memory.add(text, { userId: USER, infer: false, metadata: { id } });
    }
    return {
      folder,
      async search(question, k) {
        const { results } = await memory.search(question, {
          topK: k,
          threshold: ANY_SCORE,
          filters: { user_id: USER },
        });
        return results.map((one) => ({ text: one.memory, sourceIds: [String(one.metadata?.id)] }));
      },
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};
