import { Embeddings } from "@langchain/core/embeddings";
import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";

/** One valid extraction item with this restatement. */
export function fact(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { lossless_restatement: text, keywords: [], persons: [], entities: [], ...more };
}

/** The reply of a model: a list of items as JSON text. */
export function reply(...items: readonly Record<string, unknown>[]): string {
  return JSON.stringify(items);
}

/** Deterministic embedder of 8 dimensions that counts what it is asked. */
export class FakeEmbeddings extends Embeddings {
  documentCalls = 0;
  queryCalls = 0;
  readonly texts: string[] = [];
  readonly modelName: string;

  constructor(
    private readonly dimension = 8,
    private readonly vectorOf?: (text: string) => number[],
  ) {
    super({ maxRetries: 0 });
    this.modelName = `fake-${dimension}`;
  }

  #vector(text: string): number[] {
    if (this.vectorOf !== undefined) return this.vectorOf(text);
    const vector = Array.from({ length: this.dimension }, () => 0.01);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      let hash = 7;
      for (const point of word) hash = (hash * 31 + (point.codePointAt(0) ?? 0)) % 9973;
      vector[hash % this.dimension] = (vector[hash % this.dimension] ?? 0) + 1;
    }
    return vector;
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    this.documentCalls += 1;
    this.texts.push(...texts);
    return texts.map((text) => this.#vector(text));
  }

  async embedQuery(text: string): Promise<number[]> {
    this.queryCalls += 1;
    this.texts.push(text);
    return this.#vector(text);
  }
}

/** A chat model that answers from a script (the last reply is repeated), and remembers what it was given. */
export class ScriptedModel extends SimpleChatModel {
  readonly prompts: string[] = [];
  #next = 0;

  constructor(private readonly replies: readonly (string | Error | ((prompt: string) => Promise<string> | string))[]) {
    super({ maxRetries: 0 });
  }

  _llmType(): string {
    return "scripted";
  }

  get calls(): number {
    return this.#next;
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    const prompt = messages.map((message) => message.text).join("\n");
    this.prompts.push(prompt);
    const step = this.replies[Math.min(this.#next, this.replies.length - 1)];
    this.#next += 1;
    if (step instanceof Error) throw step;
    return typeof step === "function" ? step(prompt) : (step ?? "");
  }
}

/** An error as an HTTP client throws it. */
export function httpError(status: number): Error {
  return Object.assign(new Error(`${status} from the model`), { status });
}
