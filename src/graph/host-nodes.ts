import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { contentText } from "../records/index.js";
import { checkSource, type MemorySource, memoryOf } from "../records/memory-source.js";
import { isFromUser, type SpokenOptions, spokenIn, withoutInjected } from "./conversation.js";

/** A state that the nodes understand: LangGraph's usual one. */
export interface MessagesState {
  /** The conversation, oldest first. */
  readonly messages: readonly BaseMessage[];
}

/** Options of `createRecallNode`. */
export type RecallNodeOptions = MemorySource & {
  /** State key that takes the recalled block. Default "recalled". */
  readonly outputKey?: string;
  /** Budget of the block, in tokens. Default 900. */
  readonly maxTokens?: number;
};

/** Options of `createRememberNode`. */
export type RememberNodeOptions = MemorySource &
  SpokenOptions & {
    /** Waits until what was said has become facts. Default false: it is durable, and extraction follows. */
    readonly awaitWrites?: boolean;
  };

/**
 * A node that recalls what answers the last user message, as a fenced block for the prompt of a later node.
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example graph.addNode("recall", createRecallNode({ memory }))
 */
export function createRecallNode(options: RecallNodeOptions) {
  checkSource(options, "createRecallNode");
  const { outputKey = "recalled", maxTokens } = options;
  return async (state: MessagesState, config: RunnableConfig): Promise<Record<string, string>> => {
    const memory = memoryOf(options, config);
    const question = withoutInjected(contentText(state.messages.findLast(isFromUser)?.content));
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
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example graph.addNode("remember", createRememberNode({ memory }))
 */
export function createRememberNode(options: RememberNodeOptions) {
  checkSource(options, "createRememberNode");
  return async (state: MessagesState, config: RunnableConfig): Promise<Record<string, never>> => {
    const memory = memoryOf(options, config);
    await memory.add(spokenIn(state.messages, options));
    if (options.awaitWrites === true) await memory.flush(config.signal === undefined ? {} : { signal: config.signal });
    return {};
  };
}
