import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { AIMessageChunk, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { RunnableLambda } from "@langchain/core/runnables";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRecallNode, createRememberNode } from "../../src/graph/index.js";
import { SimpleMem } from "../../src/index.js";
import { SimpleMemRetriever } from "../../src/retrievers/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";

/** A scripted model that streams its reply in pieces whenever somebody may listen. */
class StreamingModel extends ScriptedModel {
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const text = await this._call(messages);
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) {
      yield new ChatGenerationChunk({ text: piece, message: new AIMessageChunk(piece) });
      await runManager?.handleLLMNewToken(piece);
    }
  }
}

type Memory = ReturnType<SimpleMem["scope"]>;
type Node = (state: typeof MessagesAnnotation.State) => Promise<Record<string, never>>;

const SECRET = "secret bees";

function everyStage(prompt: string): string {
  if (prompt.includes("You plan")) return JSON.stringify({ queries: ["secret bees"], complexity: 0.9 });
  if (prompt.includes("You judge")) return '{"sufficient":true}';
  if (prompt.includes("You compare")) return '{"operations":[{"item":1,"op":"add","target":null}]}';
  if (prompt.includes("SOURCES:")) return `Ilse keeps ${SECRET}.\nSOURCES: 1`;
  if (prompt.includes("You answer")) return JSON.stringify({ answer: `Ilse keeps ${SECRET}.`, citations: [1] });
  const isLater = prompt.slice(prompt.lastIndexOf("\nNEW")).includes("hives");
  return reply(
    fact(isLater ? `Ilse keeps ${SECRET} in two hives by the mill` : `Ilse keeps ${SECRET}`, { persons: ["Ilse"] }),
  );
}

async function openMemory(model: ScriptedModel): Promise<Memory> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    llm: model,
    embeddings: new FakeEmbeddings(8, () => [1, 0, 0, 0, 0, 0, 0, 0.1]),
    window: { idleMs: 0 },
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
  await memory.add({ speaker: "Ilse", content: `I keep ${SECRET}.` });
  await memory.flush();
  return memory;
}

/** A host's graph that says hello, and then runs the node. */
function hostOf(node: Node) {
  const host = new StreamingModel(["Hello Ilse"]);
  return new StateGraph(MessagesAnnotation)
    .addNode("answer", async (state) => ({ messages: [await host.invoke(state.messages)] }))
    .addNode("memory", node)
    .addEdge(START, "answer")
    .addEdge("answer", "memory")
    .addEdge("memory", END)
    .compile();
}

const QUESTION = "Why does Ilse keep bees and hens, and since when?";
const INPUT = { messages: [new HumanMessage("I keep them in two hives by the mill.")] };

const nothing =
  (work: (memory: Memory) => Promise<unknown>) =>
  (memory: Memory): Node =>
  async () => {
    await work(memory);
    return {};
  };

async function streamed(memory: Memory): Promise<void> {
  for await (const _piece of memory.streamAsk(QUESTION));
}

const NODES: readonly (readonly [string, (memory: Memory) => Node])[] = [
  ["remembers, and waits for it", (memory) => createRememberNode({ memory, awaitWrites: true }) as unknown as Node],
  ["remembers in the background", (memory) => createRememberNode({ memory }) as unknown as Node],
  [
    "flushes, with a comparison",
    nothing(async (memory) => {
      await memory.add({ speaker: "Ilse", content: `I keep ${SECRET} in two hives by the mill.` });
      await memory.flush();
    }),
  ],
  [
    "recalls",
    (memory) => async (state) => {
      await createRecallNode({ memory })({ messages: [new HumanMessage(QUESTION), ...state.messages.slice(1)] }, {});
      return {};
    },
  ],
  ["searches with a plan of the model", nothing((memory) => memory.search(QUESTION, { planning: "always" }))],
  ["asks", nothing((memory) => memory.ask(QUESTION))],
  ["asks in pieces", nothing(streamed)],
  ["reads a block", nothing((memory) => memory.context(QUESTION))],
  ["uses the retriever", nothing((memory) => new SimpleMemRetriever({ memory, planning: "always" }).invoke(QUESTION))],
  ["asks twice at once", nothing((memory) => Promise.all([memory.ask(QUESTION), memory.ask("What does Ilse keep?")]))],
  ["asks within a runnable", nothing((memory) => RunnableLambda.from(() => memory.ask(QUESTION)).invoke(""))],
];

describe.each(NODES)("a host's node that %s (R67)", (_title, nodeOf) => {
  it("shows the host's stream of messages the host's words alone", async () => {
    const host = hostOf(nodeOf(await openMemory(new StreamingModel([everyStage]))));
    let shown = "";
    for await (const [message] of await host.stream(INPUT, { streamMode: "messages" })) shown += message.text;
    expect(shown).toBe("Hello Ilse");
  });

  it("shows the host's stream of events no word of the memory's models, nor its progress", async () => {
    const host = hostOf(nodeOf(await openMemory(new StreamingModel([everyStage]))));
    let shown = "";
    const events: string[] = [];
    for await (const event of host.streamEvents(INPUT, { version: "v2" })) {
      if (event.event === "on_chat_model_stream") shown += event.data.chunk.text;
      events.push(JSON.stringify(event));
    }
    expect(shown).toBe("Hello Ilse");
    expect(events.join("\n")).not.toMatch(/lossless_restatement|windows_claimed|answer_piece/);
    const custom: unknown[] = [];
    for await (const event of await host.stream(INPUT, { streamMode: "custom" })) custom.push(event);
    expect(custom).toEqual([]);
  });
});

it("a graph within a graph shows nothing of it either (R67)", async () => {
  const memory = await openMemory(new StreamingModel([everyStage]));
  const inner = hostOf(createRememberNode({ memory, awaitWrites: true }) as unknown as Node);
  const outer = new StateGraph(MessagesAnnotation)
    .addNode("inner", inner)
    .addEdge(START, "inner")
    .addEdge("inner", END)
    .compile();
  let shown = "";
  for await (const [, [message]] of await outer.stream(INPUT, { streamMode: "messages", subgraphs: true }))
    shown += message.text;
  expect(shown).toBe("Hello Ilse");
});

it("a listener that the model was given hears every call, named and marked (R67)", async () => {
  const heard: (readonly [string | undefined, readonly string[]])[] = [];
  const model = new StreamingModel([everyStage]);
  model.callbacks = [
    {
      handleChatModelStart: (_llm, _messages, _runId, _parent, _extra, tags, _metadata, name) => {
        heard.push([name, tags ?? []]);
      },
    },
  ];
  const memory = await openMemory(model);
  await memory.ask(QUESTION);
  await streamed(memory);
  expect(heard.map(([name]) => name)).toEqual([
    "simplemem_extract",
    ...["simplemem_plan", "simplemem_reflect", "simplemem_answer"],
    ...["simplemem_plan", "simplemem_reflect", "simplemem_answer"],
  ]);
  for (const [, tags] of heard) expect(tags).toContain("nostream");
});
