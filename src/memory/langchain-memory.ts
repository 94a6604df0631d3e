import { Document } from "@langchain/core/documents";
import { BaseMemory, type InputValues, type MemoryVariables, type OutputValues } from "@langchain/core/memory";
import { SystemMessage } from "@langchain/core/messages";
import { v7 as uuidv7 } from "uuid";
import {
  contentText,
  DEFAULT_CONTEXT_TOKENS,
  type Hit,
  InvalidInputError,
  type ScopedMemory,
} from "../records/index.js";

/** Options of `SimpleMemMemory`. */
export interface SimpleMemMemoryOptions {
  /** Whose memory it is: `simplemem.scope({ userId })`. */
  readonly memory: ScopedMemory;
  /** Variable that the prompt reads. Default "history". */
  readonly memoryKey?: string;
  /** Which input is the user's words; needed when the chain has several. */
  readonly inputKey?: string;
  /** Which output is the assistant's words; needed when the chain has several. */
  readonly outputKey?: string;
  /** Speaker of the input: a name such as "Ilse". Default: the `userName` of the handle, else "User". */
  readonly humanPrefix?: string;
  /** Speaker of the output. Default: the `assistantName` of the handle, else "Assistant". */
  readonly aiPrefix?: string;
  /** Gives what was found as a list of documents. Default false. */
  readonly returnDocs?: boolean;
  /** Gives a list with one SystemMessage instead of text. Default false. */
  readonly returnMessages?: boolean;
  /** Budget of what is recalled, in tokens. Default 900. */
  readonly maxTokens?: number;
  /** Waits until what was said has become facts. Default false: it is durable, and extraction follows. */
  readonly awaitWrites?: boolean;
}

function toDocument({ id, text, entry: _, ...metadata }: Hit): Document {
  return new Document({ id, pageContent: text, metadata: { ...metadata } });
}

/** The text of a chain's value: a string, a message, a list of messages (the last counts), or anything as JSON. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return typeof value.at(-1) === "object" ? textOf(value.at(-1)) : JSON.stringify(value);
  if (typeof value === "object" && "content" in value) return contentText(value.content);
  if (typeof value === "object" && "text" in value) return textOf(value.text);
  return JSON.stringify(value);
}

/** A message with an id of its own: what was said twice is no history that is sent again. */
function spoken(role: "user" | "assistant", content: string, name: string | undefined) {
  return { role, content, id: uuidv7(), ...(name === undefined ? {} : { name }) };
}

/**
 * Memory for chains that take a `BaseMemory`: recalls what answers the input, and remembers what was said.
 * @throws InvalidInputError when both `returnDocs` and `returnMessages` are set
 * @example new ConversationChain({ llm, memory: new SimpleMemMemory({ memory: simplemem.scope({ userId: "ilse" }) }) })
 */
export class SimpleMemMemory extends BaseMemory {
  readonly #options: SimpleMemMemoryOptions;

  constructor(options: SimpleMemMemoryOptions) {
    super();
    if (options.returnDocs === true && options.returnMessages === true) {
      throw new InvalidInputError(
        "SimpleMemMemory gives documents or messages; set one of returnDocs, returnMessages.",
      );
    }
    this.#options = options;
  }

  /** The one variable that it gives. */
  get memoryKeys(): string[] {
    return [this.memoryKey];
  }

  /** Name of the variable that the prompt reads. */
  get memoryKey(): string {
    return this.#options.memoryKey ?? "history";
  }

  /**
   * Recalls what answers the input; blank input recalls nothing.
   * @throws InvalidInputError when the chain has several inputs and `inputKey` does not say which
   */
  async loadMemoryVariables(values: InputValues): Promise<MemoryVariables> {
    const input = this.#valueOf(values, this.#options.inputKey, "input");
    const { returnDocs, returnMessages } = this.#options;
    if (returnDocs === true) return { [this.memoryKey]: await this.#documents(input) };
    const block = await this.#block(input);
    if (returnMessages !== true) return { [this.memoryKey]: block };
    return { [this.memoryKey]: block === "" ? [] : [new SystemMessage(block)] };
  }

  /**
   * Remembers one exchange: durable when this resolves. A blank part is nothing that was said.
   * @throws InvalidInputError when the chain has several inputs or outputs, and no key says which
   */
  async saveContext(inputValues: InputValues, outputValues: OutputValues): Promise<void> {
    const { memory, inputKey, outputKey, humanPrefix, aiPrefix, awaitWrites } = this.#options;
    const said = this.#valueOf(inputValues, inputKey, "input");
    const answered = this.#valueOf(outputValues, outputKey, "output");
    const messages = [spoken("user", said, humanPrefix), spoken("assistant", answered, aiPrefix)].filter(
      (message) => message.content.trim() !== "",
    );
    if (messages.length === 0) return;
    await memory.add(messages);
    if (awaitWrites === true) await memory.flush();
  }

  /** Forgets everything of the handle's scope: every session of the user. */
  async clear(): Promise<void> {
    await this.#options.memory.forget({ all: true });
  }

  async #block(input: string): Promise<string> {
    const { memory, maxTokens } = this.#options;
    return input.trim() === "" ? "" : memory.context(input, maxTokens === undefined ? {} : { maxTokens });
  }

  async #documents(input: string): Promise<Document[]> {
    if (input.trim() === "") return [];
    const { memory, maxTokens = DEFAULT_CONTEXT_TOKENS } = this.#options;
    const { hits } = await memory.search(input, { maxTokens });
    return hits.map(toDocument);
  }

  // LangChain's own reader throws on a blank value; here it means that nothing was said.
  #valueOf(values: InputValues | OutputValues, key: string | undefined, what: "input" | "output"): string {
    if (key !== undefined) return textOf(values[key]);
    const names = Object.keys(values).filter((name) => name !== this.memoryKey && name !== "stop");
    const [only, ...others] = names;
    if (others.length > 0) {
      throw new InvalidInputError(`the chain has several ${what}s (${names.join(", ")}); say which by ${what}Key.`);
    }
    return only === undefined ? "" : textOf(values[only]);
  }
}
