import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { contentText, InvalidInputError, type ScopedMemory } from "../records/index.js";

/** A state that the nodes understand: LangGraph's usual one. */
export interface MessagesState {
  readonly messages: readonly BaseMessage[];
}

/** Whose memory a node uses: one handle, or one per call for a graph that serves many users. */
export type MemorySource =
  | { readonly memory: ScopedMemory }
  | { readonly scopeFrom: (config: RunnableConfig) => ScopedMemory };

export type RecallNodeOptions = MemorySource & {
  /** State key that takes the recalled block. Default "recalled". */
  readonly outputKey?: string;
  /** Budget of the block, in tokens. Default 900. */
  readonly maxTokens?: number;
};

export type RememberNodeOptions = MemorySource & {
  /** Waits until what was said has become facts. Default false: it is durable, and extraction follows. */
  readonly awaitWrites?: boolean;
};

function memoryOf(source: MemorySource, config: RunnableConfig): ScopedMemory {
  const memory = "memory" in source ? source.memory : source.scopeFrom(config);
  if (memory === undefined) throw new InvalidInputError("scopeFrom must return the handle of a user, got undefined.");
  return memory;
}

// By shape, not by class: messages may come from another copy of core.
function isFromUser(message: BaseMessage): boolean {
  return message.getType() === "human";
}

/**
 * A node that recalls what answers the last user message, as a fenced block for the prompt of a later node.
 * @example graph.addNode("recall", createRecallNode({ memory }))
 */
export function createRecallNode(options: RecallNodeOptions) {
  const { outputKey = "recalled", maxTokens } = options;
  return async (state: MessagesState, config: RunnableConfig): Promise<Record<string, string>> => {
    const memory = memoryOf(options, config);
    const question = contentText(state.messages.findLast(isFromUser)?.content);
    if (question.trim() === "") return { [outputKey]: "" };
    const block = await memory.context(question, {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(config.signal === undefined ? {} : { signal: config.signal }),
    });
    return { [outputKey]: block };
  };
}

/**
 * A node that remembers the conversation. It may be given the whole history each turn: what is known costs nothing.
 * @example graph.addNode("remember", createRememberNode({ memory }))
 */
export function createRememberNode(options: RememberNodeOptions) {
  return async (state: MessagesState, config: RunnableConfig): Promise<Record<string, never>> => {
    const memory = memoryOf(options, config);
    const spoken = state.messages.filter((message) => ["human", "ai"].includes(message.getType()));
    await memory.add(spoken);
    if (options.awaitWrites === true) await memory.flush(config.signal === undefined ? {} : { signal: config.signal });
    return {};
  };
}
