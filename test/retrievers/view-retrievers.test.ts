import { describe, expect, it } from "vitest";
import {
  EpisodicRetriever,
  LexicalRetriever,
  SemanticRetriever,
  SimpleMemRetriever,
  SymbolicRetriever,
} from "../../src/retrievers/index.js";
import { openMemory } from "../support/agents.js";

async function filled() {
  const memory = (await openMemory()).scope({ userId: "u-ilse" });
  await memory.add([
    { id: "t1", speaker: "Ilse", content: "I adopted a greyhound called Rill.", timestamp: "2025-03-04T10:00:00Z" },
    { id: "t2", speaker: "Bram", content: "I bake rye bread on Sundays.", timestamp: "2025-03-04T10:01:00Z" },
  ]);
  await memory.flush();
  return memory;
}

describe("the retrievers of one view", () => {
  it.each([
    ["semantic", SemanticRetriever, "entry"],
    ["lexical", LexicalRetriever, "entry"],
    ["symbolic", SymbolicRetriever, "entry"],
    ["episodic", EpisodicRetriever, "turn"],
  ] as const)(
    "%s finds by its own view alone, in documents as the whole retriever's",
    async (view, Retriever, kind) => {
      const memory = await filled();
      const retriever = new Retriever({ memory });
      expect(retriever).toBeInstanceOf(SimpleMemRetriever);
      const documents = await retriever.invoke("What did Ilse adopt, a greyhound?");
      expect(documents.length).toBeGreaterThan(0);
      expect(documents[0]?.metadata.sourceIds).toEqual(["t1"]);
      for (const { id, metadata } of documents) {
        expect(id).toBeTypeOf("string");
        expect(metadata.views).toEqual([view]);
        expect(metadata.kind).toBe(kind);
        expect(JSON.parse(JSON.stringify(metadata))).toEqual(metadata);
      }
      expect(await new Retriever({ memory, k: 1 }).invoke("Ilse's greyhound")).toHaveLength(1);
    },
  );

  it("finds what was said before any fact was made of it by the episodic view alone", async () => {
    const memory = (await openMemory()).scope({ userId: "u-ilse" });
    await memory.add({ id: "t1", speaker: "Ilse", content: "I adopted a greyhound called Rill." });
    expect(await new EpisodicRetriever({ memory }).invoke("greyhound")).toHaveLength(1);
    for (const Retriever of [SemanticRetriever, LexicalRetriever, SymbolicRetriever]) {
      expect(await new Retriever({ memory }).invoke("greyhound")).toEqual([]);
    }
  });

  it("name themselves in a trace", async () => {
    const memory = await filled();
    const names: unknown[] = [];
    const callbacks = [{ handleRetrieverStart: ({ id }: { id?: string[] }) => names.push(id?.at(-1)) }];
    for (const Retriever of [SemanticRetriever, LexicalRetriever, SymbolicRetriever, EpisodicRetriever]) {
      await new Retriever({ memory }).invoke("greyhound", { callbacks });
    }
    expect(names).toEqual(["SemanticRetriever", "LexicalRetriever", "SymbolicRetriever", "EpisodicRetriever"]);
  });
});
