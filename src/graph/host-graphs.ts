import { randomUUID } from "node:crypto";
import type { RunnableConfig } from "@langchain/core/runnables";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import { estimateTokens, type TokenCounter } from "../models/index.js";
import { contentText, DEFAULT_CONTEXT_TOKENS, type Hit, type WriteFailure } from "../records/index.js";
import { checkSource, type MemoryRuntime, type MemorySource, memoryOf } from "../records/memory-source.js";
import { renderContextBlock } from "../retrievers/index.js";
import { type ExactScope, exactScope } from "../store/index.js";
import { isFromUser, type SpokenOptions, spokenIn, withoutInjected } from "./conversation.js";
import type { createReadGraph } from "./read.js";
import type { ReadOptions } from "./read-state.js";
import { exactScopeSchema } from "./state-parts.js";
import { type createWriteGraph, RECURSION_LIMIT } from "./write.js";

/** Options of `createRecallGraph`. */
export type RecallGraphOptions = MemorySource & {
  /** The engine's: `simplemem.readGraph`. */
  readonly readGraph: ReturnType<typeof createReadGraph>;
  /** Budget of the block, in tokens. Default 900. */
  readonly maxTokens?: number;
  /** How the search is narrowed. Default: everything of the user, planned as `search` plans. */
  readonly search?: ReadOptions;
  /** Counts the tokens of a text. Default: an estimate that needs no model. */
  readonly countTokens?: TokenCounter;
};

const RecallInput = new StateSchema({ messages: MessagesValue });
const RecallOutput = new StateSchema({
  /** What is known about the last message of the user, as a fenced block for a prompt; "" when nothing is. */
  recalled: z.string().default(""),
});
/** Beside the messages, the keys by which the read graph knows what to do and says what it found. */
const RecallState = new StateSchema({
  messages: MessagesValue,
  recalled: z.string().default(""),
  scope: exactScopeSchema,
  question: z.string(),
  options: z.custom<ReadOptions>().default(() => ({})),
  hits: z.custom<Hit[]>().default(() => []),
});

/**
 * The read graph in a form that shares `messages` with a host's graph: it takes the last message of the user as its
 * question, and gives `recalled`, a block for the prompt of a later node. Unlike `createRecallNode`, which keeps what it
 * does to itself, it runs as a part of the host: its steps are in the host's stream and checkpoints, the run can be resumed
 * between them, and an `interrupt` of a stage of your own reaches the host. What was found is then in the host's
 * checkpoints too, where `forget` does not reach.
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example host.addNode("recall", createRecallGraph({ memory, readGraph: simplemem.readGraph }))
 */
export function createRecallGraph(options: RecallGraphOptions) {
  checkSource(options, "createRecallGraph");
  const { readGraph, search = {}, maxTokens = DEFAULT_CONTEXT_TOKENS, countTokens = estimateTokens } = options;
  return new StateGraph({ state: RecallState, input: RecallInput, output: RecallOutput })
    .addNode("ask", ({ messages }, runtime: MemoryRuntime) => {
      const { scope } = memoryOf(options, runtime);
      const question = withoutInjected(contentText(messages.findLast(isFromUser)?.content));
      // What an earlier turn recalled must not stay for one in which nothing is asked.
      return { scope: exactScope(scope), question, options: search, recalled: "" };
    })
    .addNode("read", readGraph)
    .addNode("render", ({ hits }) => ({ recalled: renderContextBlock(hits, { maxTokens, countTokens }).text }))
    .addEdge(START, "ask")
    .addConditionalEdges("ask", ({ question }) => (question.trim() === "" ? END : "read"), ["read", END])
    .addEdge("read", "render")
    .addEdge("render", END)
    .compile({ name: "simplemem_recall" });
}

/** Options of `createRememberGraph`. */
export type RememberGraphOptions = MemorySource &
  SpokenOptions & {
    /** The engine's: `simplemem.writeGraph`. */
    readonly writeGraph: ReturnType<typeof createWriteGraph>;
  };

const RememberInput = new StateSchema({ messages: MessagesValue });
const RememberOutput = new StateSchema({
  /** Windows that could not be processed; their turns are kept, and the next run takes them up again. */
  failures: z.custom<WriteFailure[]>().default(() => []),
});
const RememberState = new StateSchema({
  messages: MessagesValue,
  scope: exactScopeSchema,
  runId: z.string(),
  failures: z.custom<WriteFailure[]>().default(() => []),
});

/** A host's limit of steps counts in its subgraphs too, so that the graph's own is named again. */
async function writeAll(
  graph: RememberGraphOptions["writeGraph"],
  input: { readonly scope: ExactScope; readonly runId: string },
  config: RunnableConfig,
): Promise<{ failures: WriteFailure[] }> {
  const { failures } = await graph.invoke({ ...input }, { ...config, recursionLimit: RECURSION_LIMIT });
  return { failures };
}

/**
 * The write graph in a form that shares `messages` with a host's graph: it adds what was said, which may be the whole
 * history each turn, and makes facts of it before it ends. As `createRecallGraph` it runs as a part of the host.
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example host.addNode("remember", createRememberGraph({ memory, writeGraph: simplemem.writeGraph }))
 */
export function createRememberGraph(options: RememberGraphOptions) {
  checkSource(options, "createRememberGraph");
  return new StateGraph({ state: RememberState, input: RememberInput, output: RememberOutput })
    .addNode("add", async ({ messages }, runtime: MemoryRuntime) => {
      const memory = memoryOf(options, runtime);
      await memory.add(spokenIn(messages, options));
      return { scope: exactScope(memory.scope), runId: randomUUID() };
    })
    .addNode("write", ({ scope, runId }, config) => writeAll(options.writeGraph, { scope, runId }, config), {
      subgraphs: [options.writeGraph],
    })
    .addEdge(START, "add")
    .addEdge("add", "write")
    .addEdge("write", END)
    .compile({ name: "simplemem_remember" });
}
