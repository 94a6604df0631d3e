/**
 * Memory for LangChain's `createAgent`.
 * @packageDocumentation
 */

import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import { z } from "zod/v4";
import { estimateTokens, type TokenCounter } from "../models/index.js";
import { InvalidInputError, type ScopedMemory, type SearchOptions } from "../records/index.js";
import { checkSource, type MemoryRuntime, type MemorySource, memoryOf, scopeText } from "../records/memory-source.js";
import { Capture } from "./capture.js";
import { renderInjection } from "./injection.js";
import { injectionBudget } from "./injection-budget.js";
import { TurnRecall } from "./recall.js";
import { requestTokens, windowOf } from "./request-size.js";
import { StoredTurns, VisibleConversation } from "./stored-turns.js";

export type { MemoryContext, MemoryRuntime, MemorySource } from "../records/memory-source.js";
export {
  AMPLE,
  AMPLE_BELOW,
  FACT_TOKENS,
  type InjectionBudget,
  injectionBudget,
  NONE,
  SCARCE,
  SCARCE_BELOW,
  TIGHT,
  TIGHT_BELOW,
} from "./injection-budget.js";

/** Options of `simpleMemMiddleware`: whose memory it is, and how it is used. */
export type SimpleMemMiddlewareOptions = MemorySource & {
  /** False: the agent behaves as without this middleware, request by request. Default true. */
  readonly enabled?: boolean;
  /** Tokens that the model takes. Default: what the model's profile says, else 32,000. */
  readonly maxInputTokens?: number;
  /** Counts the tokens of a text. Default: an estimate that needs no model. */
  readonly countTokens?: TokenCounter;
  /** Default "never": a turn costs one search and no model call. */
  readonly planning?: SearchOptions["planning"];
  /** Narrows what is recalled. Default: everything of the user. */
  readonly filter?: SearchOptions["filter"];
  /** Waits until what was said has become facts. Default false: it is durable, and extraction follows. */
  readonly awaitWrites?: boolean;
  /** Also stores calls of tools and their results, each shortened to 400 characters. Default false. */
  readonly toolMessages?: boolean;
  /**
   * Takes the errors of recalling and storing, and the agent goes on without memory. Default: they end the run. A missing
   * user ends the run in any case.
   */
  readonly onError?: (error: unknown) => void;
};

// A value of the wrong kind passes here: the scope refuses it, and says it better.
const contextSchema = z.object({
  userId: z.custom<string | undefined>().optional(),
  agentId: z.custom<string | undefined>().optional(),
  tenantId: z.custom<string | undefined>().optional(),
  sessionId: z.custom<string | undefined>().optional(),
});

/** Room for the blank line between the agent's own system text and the block. */
const SEPARATOR = "\n\n";
const SEPARATOR_TOKENS = 1;

/** LangGraph's own mark of a run whose messages are kept, and keep their ids, from run to run. */
const CHECKPOINTER_KEY = "__pregel_checkpointer";

function isCheckpointed(runtime: MemoryRuntime): boolean {
  return runtime.configurable?.[CHECKPOINTER_KEY] !== undefined;
}

function extended(system: SystemMessage, block: string): SystemMessage {
  return system.text === "" ? new SystemMessage(block) : system.concat(SEPARATOR + block);
}

/** One request as the model would get it without memory. */
interface ModelRequestParts {
  readonly model: unknown;
  readonly messages: BaseMessage[];
  readonly systemMessage: SystemMessage;
  readonly tools: Parameters<typeof requestTokens>[1];
  readonly signal: AbortSignal | undefined;
}

/** What the hooks of one middleware share. */
class AgentMemory {
  readonly #stored = new StoredTurns();
  readonly #recall = new TurnRecall();
  readonly #capture: Capture;

  constructor(private readonly options: SimpleMemMiddlewareOptions) {
    this.#capture = new Capture(this.#stored, options);
  }

  memoryOf(runtime: MemoryRuntime): ScopedMemory {
    return memoryOf(this.options, runtime);
  }

  async begin(memory: ScopedMemory, messages: readonly BaseMessage[], isKept: boolean): Promise<void> {
    this.#recall.forget(memory, messages);
    // Without a checkpointer a caller sends the history again each time, under new ids: none of it is news.
    if (isKept) await this.#guarded(() => this.#capture.catchUp(memory, messages), undefined);
  }

  /** The block for one request; "" when nothing is known, or nothing fits. */
  block(memory: ScopedMemory, request: ModelRequestParts): Promise<string> {
    return this.#guarded(() => this.#render(memory, request), "");
  }

  end(memory: ScopedMemory, messages: readonly BaseMessage[], signal: AbortSignal | undefined): Promise<void> {
    return this.#guarded(async () => {
      await this.#capture.exchange(memory, messages);
      if (this.options.awaitWrites === true) await memory.flush(signal === undefined ? {} : { signal });
    }, undefined);
  }

  async #render(memory: ScopedMemory, request: ModelRequestParts): Promise<string> {
    const { countTokens = estimateTokens, planning = "never", filter, maxInputTokens } = this.options;
    const window = maxInputTokens ?? windowOf(request.model);
    const used = requestTokens([request.systemMessage, ...request.messages], request.tools, countTokens);
    const budget = injectionBudget(used, window);
    const facts = await memory.facts.list();
    const found =
      budget.items === 0
        ? []
        : await this.#recall.hits(memory, request.messages, {
            planning,
            ...(filter === undefined ? {} : { filter }),
            ...(request.signal === undefined ? {} : { signal: request.signal }),
          });
    const visible = new VisibleConversation(request.messages, this.#stored, scopeText(memory.scope));
    const hits = found.filter((hit) => !visible.holds(hit));
    return renderInjection({ hits, facts, budget, left: window - used - SEPARATOR_TOKENS, countTokens });
  }

  async #guarded<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.options.onError === undefined) throw error;
      this.options.onError(error);
      return otherwise;
    }
  }
}

/**
 * Long-term memory for LangChain's `createAgent`. It searches once for each message of the user and adds what answers it to
 * the system message of that request alone, as much as the model's window has room for (`injectionBudget`); what the
 * model still sees in the conversation is not repeated, and what was summarized away is found again. After the answer it
 * stores what was said. Put it last, so that it sees the request as the model will.
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example
 * createAgent({ model, tools, middleware: [
 *   simpleMemMiddleware({ scopeFrom: ({ context }) => simplemem.scope({ userId: context?.userId ?? "" }) }),
 * ] })
 */
export function simpleMemMiddleware(options: SimpleMemMiddlewareOptions) {
  checkSource(options, "simpleMemMiddleware");
  const { maxInputTokens, enabled = true } = options;
  if (maxInputTokens !== undefined && !(maxInputTokens > 0)) {
    throw new InvalidInputError(`maxInputTokens must be a positive number of tokens, got ${maxInputTokens}.`);
  }
  const name = "SimpleMemMiddleware";
  if (!enabled) return createMiddleware({ name, contextSchema });
  const agent = new AgentMemory(options);
  return createMiddleware({
    name,
    contextSchema,
    beforeAgent: async (state, runtime) => {
      await agent.begin(agent.memoryOf(runtime), state.messages, isCheckpointed(runtime));
    },
    wrapModelCall: async (request, handler) => {
      const { systemMessage, runtime } = request;
      const block = await agent.block(agent.memoryOf(runtime), { ...request, signal: runtime.signal });
      return handler(block === "" ? request : { ...request, systemMessage: extended(systemMessage, block) });
    },
    afterAgent: async (state, runtime) => {
      await agent.end(agent.memoryOf(runtime), state.messages, runtime.signal);
    },
  });
}
