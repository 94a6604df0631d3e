import { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { spokenIn } from "../graph/conversation.js";
import type { DialogueTurn, ScopedMemory } from "../records/index.js";

/** Options of `SimpleMemChatMessageHistory`. */
export interface SimpleMemChatMessageHistoryOptions {
  /** A handle with a `sessionId`: its session is the conversation. */
  readonly memory: ScopedMemory;
  /** Messages that are given back at most, the last ones. Default 40. */
  readonly maxMessages?: number;
  /** Waits until what was said has become facts. Default false: it is durable, and extraction follows. */
  readonly awaitWrites?: boolean;
}

function toMessage(turn: DialogueTurn): BaseMessage[] {
  const fields = { id: turn.dialogueId, content: turn.content, additional_kwargs: { timestamp: turn.timestamp } };
  if (turn.role === "user") return [new HumanMessage(fields)];
  return turn.role === "assistant" ? [new AIMessage(fields)] : [];
}

/**
 * The conversation of one session as LangChain's chat history, for `RunnableWithMessageHistory`: what is added is
 * remembered for good, what is given back is the last part of it. Text of the system, tool calls and their results are not
 * kept. What earlier conversations hold is recalled by its own part of the chain, since a history does not know the question:
 * `RunnablePassthrough.assign({ memory: ({ input }) => memory.context(input) })`.
 * @example
 * new RunnableWithMessageHistory({
 *   runnable: prompt.pipe(model),
 *   getMessageHistory: (sessionId) =>
 *     new SimpleMemChatMessageHistory({ memory: simplemem.scope({ userId: "ilse", sessionId }) }),
 *   inputMessagesKey: "input",
 *   historyMessagesKey: "history",
 * })
 */
export class SimpleMemChatMessageHistory extends BaseListChatMessageHistory {
  lc_namespace = ["simplemem_langchain", "memory"];
  readonly #options: SimpleMemChatMessageHistoryOptions;

  static override lc_name(): string {
    return "SimpleMemChatMessageHistory";
  }

  constructor(options: SimpleMemChatMessageHistoryOptions) {
    super();
    this.#options = options;
  }

  /** The last messages of the session, oldest first, each with its time in `additional_kwargs.timestamp`. */
  async getMessages(): Promise<BaseMessage[]> {
    const { memory, maxMessages } = this.#options;
    const turns = await memory.turns(maxMessages === undefined ? {} : { limit: maxMessages });
    return turns.flatMap(toMessage);
  }

  /** Remembers one message. */
  async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message]);
  }

  /** Remembers what the user and the assistant said in these messages; durable when this resolves. */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    const { memory, awaitWrites } = this.#options;
    // One by one: each call tells of new messages, and two equal ones were said twice.
    for (const spoken of spokenIn(messages)) await memory.add(spoken);
    if (awaitWrites === true) await memory.flush();
  }

  /** Forgets what was said in this session, and what stands on it alone. */
  override async clear(): Promise<void> {
    const { memory } = this.#options;
    await memory.forget({ filter: { sessionId: memory.scope.sessionId } });
  }
}
