import { createStuffDocumentsChain } from "@langchain/classic/chains/combine_documents";
import { createRetrievalChain } from "@langchain/classic/chains/retrieval";
import { ContextualCompressionRetriever } from "@langchain/classic/retrievers/contextual_compression";
import { EnsembleRetriever } from "@langchain/classic/retrievers/ensemble";
import { Document, type DocumentInterface } from "@langchain/core/documents";
import { AIMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { BaseRetriever } from "@langchain/core/retrievers";
import { RunnableLambda, RunnablePassthrough } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { BaseTracer, type Run } from "@langchain/core/tracers/base";
import { END, MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { type ScopedMemory, ScopeError } from "../../src/index.js";
import { SimpleMemRetriever } from "../../src/retrievers/index.js";
import { answering, openMemory } from "../support/agents.js";
import { FakeEmbeddings } from "../support/fakes.js";

async function filled(): Promise<ScopedMemory> {
  const memory = (await openMemory()).scope({ userId: "u-ilse" });
  await memory.add([
    { id: "t1", speaker: "Ilse", content: "I adopted a greyhound called Rill.", timestamp: "2025-03-04T10:00:00Z" },
    { id: "t2", speaker: "Bram", content: "I bake rye bread on Sundays.", timestamp: "2025-03-04T10:01:00Z" },
  ]);
  await memory.flush();
  return memory;
}

/** A retriever of documents that lie elsewhere. */
class Manuals extends BaseRetriever {
  lc_namespace = ["test"];

  override async _getRelevantDocuments(): Promise<DocumentInterface[]> {
    return [new Document({ pageContent: "Greyhounds are sighthounds.", metadata: { source: "manual" } })];
  }
}

class Trace extends BaseTracer {
  readonly name = "trace";
  readonly #roots: Run[] = [];

  protected override async persistRun(run: Run): Promise<void> {
    this.#roots.push(run);
  }

  /** The names of the runs from the outermost one to each of this name. */
  pathsTo(name: string, runs: readonly Run[] = this.#roots): string[][] {
    return runs.flatMap((run) => [
      ...(run.name === name ? [[name]] : []),
      ...this.pathsTo(name, run.child_runs).map((path) => [run.name, ...path]),
    ]);
  }
}

function textOf(documents: readonly DocumentInterface[]): string {
  return documents.map(({ pageContent }) => pageContent).join("\n");
}

describe("SimpleMemRetriever within LangChain", () => {
  it("answers in createRetrievalChain, which hands out the documents as its context", async () => {
    const prompt = ChatPromptTemplate.fromTemplate("{context}\n\n{input}");
    const llm = answering(1, (messages) => (messages[0]?.text.includes("Rill") ? "Rill." : "I do not know."));
    const chain = await createRetrievalChain({
      retriever: new SimpleMemRetriever({ memory: await filled(), k: 2 }),
      combineDocsChain: await createStuffDocumentsChain({ llm, prompt }),
    });
    const { answer, context } = await chain.invoke({ input: "Who is the greyhound?" });
    expect(answer).toBe("Rill.");
    expect(context[0]?.metadata.sourceIds).toEqual(["t1"]);
  });

  it("joins other retrievers in an EnsembleRetriever", async () => {
    const ensemble = new EnsembleRetriever({
      retrievers: [new SimpleMemRetriever({ memory: await filled(), k: 1 }), new Manuals()],
    });
    const documents = await ensemble.invoke("greyhound");
    expect(textOf(documents)).toMatch(/Rill/);
    expect(textOf(documents)).toMatch(/sighthounds/);
  });

  it("lets a ContextualCompressionRetriever shorten what it found", async () => {
    const retriever = new ContextualCompressionRetriever({
      baseRetriever: new SimpleMemRetriever({ memory: await filled() }),
      baseCompressor: {
        compressDocuments: async (documents: DocumentInterface[]) =>
          documents.filter(({ pageContent }) => pageContent.includes("rye")),
      },
    });
    expect(textOf(await retriever.invoke("rye bread"))).toMatch(/^[^\n]*rye bread/);
  });

  it("becomes a tool, for a model that asks memory itself", async () => {
    const tool = new SimpleMemRetriever({ memory: await filled(), k: 1 })
      .pipe(textOf)
      .asTool({ name: "ask_memory", description: "What the user said before.", schema: z.string() });
    expect(await tool.invoke("greyhound")).toMatch(/Rill/);
    const model = fakeModel()
      .respondWithTools([{ name: tool.name, args: { input: "greyhound" }, id: "c1" }])
      .respond((messages) => new AIMessage(messages.at(-1)?.text.match(/Rill/)?.[0] ?? "I do not know."));
    const agent = createAgent({ model, tools: [tool] });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Who is the greyhound?" }] });
    expect(messages.at(-1)?.text).toBe("Rill");
  });

  it("stands in LCEL chains, one by one, in a batch and as a stream", async () => {
    const retriever = new SimpleMemRetriever({ memory: await filled(), k: 1 });
    const model = answering(4, (messages) => messages[0]?.text.match(/Rill|rye/)?.[0] ?? "I do not know.");
    const chain = RunnablePassthrough.assign({
      known: RunnableLambda.from(({ input }: { input: string }) => input)
        .pipe(retriever)
        .pipe(textOf),
    })
      .pipe(ChatPromptTemplate.fromTemplate("{known}\n\n{input}"))
      .pipe(model)
      .pipe(new StringOutputParser());
    expect(await chain.invoke({ input: "greyhound?" })).toBe("Rill");
    expect(await chain.batch([{ input: "greyhound?" }, { input: "bread?" }])).toEqual(["Rill", "rye"]);
    let streamed = "";
    for await (const piece of await chain.stream({ input: "bread?" })) streamed += piece;
    expect(streamed).toBe("rye");
    const pieces: string[] = [];
    for await (const documents of await retriever.stream("greyhound")) pieces.push(textOf(documents));
    expect(pieces).toEqual([expect.stringMatching(/Rill/)]);
  });

  it("shows in a trace as a run with the steps of the search within it, which no other call of the memory shows", async () => {
    const memory = await filled();
    const trace = new Trace();
    await new SimpleMemRetriever({ memory }).pipe(textOf).invoke("greyhound", { callbacks: [trace] });
    expect(trace.pathsTo("retrieve")).toEqual([
      ["RunnableSequence", "SimpleMemRetriever", "simplemem_read", "retrieve"],
    ]);
    const silent = new Trace();
    await RunnableLambda.from(() => memory.search("greyhound")).invoke("", { callbacks: [silent] });
    expect(silent.pathsTo("retrieve")).toEqual([]);
  });
});

describe("whose memory a retriever reads", () => {
  it("is said by each call's configurable, also at the same time (R54, R55)", async () => {
    const simplemem = await openMemory();
    const users = ["u1", "u10", "u1%"];
    for (const [index, userId] of users.entries()) {
      await simplemem.scope({ userId, sessionId: "s1" }).add({ speaker: "Me", content: `My code is 44${index}7.` });
    }
    const retriever = new SimpleMemRetriever({
      scopeFrom: ({ configurable }) =>
        simplemem.scope({ userId: configurable?.userId, sessionId: configurable?.threadId }),
    });
    const found = await Promise.all(
      users.map((userId) => retriever.invoke("What is my code?", { configurable: { userId, threadId: "t1" } })),
    );
    expect(found.map(textOf)).toEqual(users.map((_, index) => `My code is 44${index}7.`));
    const batched = await retriever.batch(
      ["code?", "code?"],
      [{ configurable: { userId: "u1" } }, { configurable: { userId: "u10" } }],
    );
    expect(batched.map(textOf)).toEqual(["My code is 4407.", "My code is 4417."]);
  });

  it.each([undefined, null, "", "   ", Number.NaN, {}])(
    "is nobody's for the user %j, before anything is read (R55)",
    async (userId) => {
      const embeddings = new FakeEmbeddings();
      const simplemem = await openMemory({ embeddings });
      const retriever = new SimpleMemRetriever({
        scopeFrom: ({ configurable }) => simplemem.scope({ userId: configurable?.userId }),
      });
      await expect(retriever.invoke("code?", { configurable: { userId } })).rejects.toThrow(ScopeError);
      await expect(retriever.invoke("code?")).rejects.toThrow(ScopeError);
      expect(embeddings.queryCalls).toBe(0);
    },
  );

  it("is known to retrievers that an ensemble asks within a graph", async () => {
    const simplemem = await openMemory();
    await simplemem.scope({ userId: "u-ilse" }).add({ speaker: "Ilse", content: "I adopted a greyhound." });
    const scopeFrom = ({ configurable }: { configurable?: { userId?: string } }) =>
      simplemem.scope({ userId: configurable?.userId ?? "" });
    const ensemble = new EnsembleRetriever({ retrievers: [new SimpleMemRetriever({ scopeFrom }), new Manuals()] });
    const graph = new StateGraph(new StateSchema({ found: z.custom<object[]>().default(() => []) }))
      .addNode("find", async () => ({ found: await ensemble.invoke("greyhound") }))
      .addEdge(START, "find")
      .addEdge("find", END)
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { userId: "u-ilse", thread_id: "t1" } };
    const { found } = await graph.invoke({}, config);
    expect(JSON.stringify(found)).toContain("adopted a greyhound");
    // R68: what a checkpointer reads back is what was found.
    expect(JSON.stringify((await graph.getState(config)).values.found)).toBe(JSON.stringify(found));
  });
});
