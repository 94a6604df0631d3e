import {
  BaseMemory,
  getInputValue,
  getOutputValue,
  type InputValues,
  type MemoryVariables,
  type OutputValues,
} from "@langchain/core/memory";
import { SystemMessage } from "@langchain/core/messages";
import type { ScopedMemory } from "../records/index.js";

export interface SimpleMemMemoryOptions {
  readonly memory: ScopedMemory;
  /** Variable that the prompt reads. Default "history". */
  readonly memoryKey?: string;
  /** Which input is the user's words; needed when the chain has several. */
  readonly inputKey?: string;
  /** Which output is the assistant's words; needed when the chain has several. */
  readonly outputKey?: string;
  /** Speaker of the input. Default "User". */
  readonly humanPrefix?: string;
  /** Speaker of the output. Default "Assistant". */
  readonly aiPrefix?: string;
  /** Gives a list with one SystemMessage instead of text. Default false. */
  readonly returnMessages?: boolean;
  /** Budget of what is recalled, in tokens. Default 900. */
  readonly maxTokens?: number;
  /** Waits until what was said has become facts. Default false: it is durable, and extraction follows. */
  readonly awaitWrites?: boolean;
}

/**
 * Memory for chains that take a `BaseMemory`: recalls what answers the input, and remembers what was said.
 * @example new ConversationChain({ llm, memory: new SimpleMemMemory({ memory: simplemem.scope({ userId: "ilse" }) }) })
 */
export class SimpleMemMemory extends BaseMemory {
  readonly #options: SimpleMemMemoryOptions;

  constructor(options: SimpleMemMemoryOptions) {
    super();
    this.#options = options;
  }

  get memoryKeys(): string[] {
    return [this.#memoryKey];
  }

  async loadMemoryVariables(values: InputValues): Promise<MemoryVariables> {
    const input = this.#inputOf(values);
    const { memory, maxTokens, returnMessages } = this.#options;
    const block = input.trim() === "" ? "" : await memory.context(input, maxTokens === undefined ? {} : { maxTokens });
    if (returnMessages !== true) return { [this.#memoryKey]: block };
    return { [this.#memoryKey]: block === "" ? [] : [new SystemMessage(block)] };
  }

  async saveContext(inputValues: InputValues, outputValues: OutputValues): Promise<void> {
    const { memory, humanPrefix = "User", aiPrefix = "Assistant", awaitWrites } = this.#options;
    const turns = [
      { speaker: humanPrefix, role: "user" as const, content: this.#inputOf(inputValues) },
      { speaker: aiPrefix, role: "assistant" as const, content: textOf(outputValues, this.#options.outputKey) },
    ].filter((turn) => turn.content.trim() !== "");
    if (turns.length === 0) return;
    await memory.add(turns);
    if (awaitWrites === true) await memory.flush();
  }

  /** Forgets everything of the handle's scope. */
  async clear(): Promise<void> {
    await this.#options.memory.forget({ all: true });
  }

  get #memoryKey(): string {
    return this.#options.memoryKey ?? "history";
  }

  #inputOf(values: InputValues): string {
    const { inputKey } = this.#options;
    const others = Object.fromEntries(Object.entries(values).filter(([key]) => key !== this.#memoryKey));
    // LangChain's own reader throws on a blank value; here it means that nothing was said.
    const value = Object.values(others).some((part) => part !== "") ? getInputValue(others, inputKey) : "";
    return typeof value === "string" ? value : JSON.stringify(value);
  }
}

function textOf(values: OutputValues, outputKey: string | undefined): string {
  const value: unknown = getOutputValue(values, outputKey);
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "text" in value ? String(value.text) : JSON.stringify(value);
}
