import MiniSearch from "minisearch";
import { type Peer, peerTurns } from "./peer.js";

/** A full-text index in memory, with its defaults. */
export const miniSearch: Peer = {
  name: "MiniSearch 7.2",
  async fill(conversation) {
    const index = new MiniSearch({ fields: ["text"], storeFields: ["text"] });
    index.addAll(peerTurns(conversation));
    return {
      search: async (question, k) =>
        index
          .search(question)
          .slice(0, k)
          .map(({ id, text }) => ({ text: String(text), sourceIds: [String(id)] })),
    };
  },
};
