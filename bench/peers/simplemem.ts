import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSpace } from "../../src/eval/space.js";
import type { Peer } from "./peer.js";

/** This library, without a model. @param folder filled stores are used again; absent: a temporary one */
export function simpleMem(folder?: string): Peer {
  return {
    name: "simplemem-langchain",
    async fill(conversation) {
      const home = folder ?? mkdtempSync(join(tmpdir(), "peers-simplemem-"));
      const space = { name: conversation.name, conversations: [conversation] };
      const { memory, ingest, close } = await openSpace(space, { folder: home });
      return {
        fillMs: ingest.ms,
        folder: join(home, conversation.name),
        search: async (question, k) => [...(await memory.search(question, { k })).hits],
        async close() {
          await close();
          if (folder === undefined) rmSync(home, { recursive: true, force: true });
        },
      };
    },
  };
}
