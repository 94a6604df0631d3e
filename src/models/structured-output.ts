import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "@langchain/core/messages";
import { z } from "zod/v4";
import { type Logger, ModelOutputError, type Usage } from "../records/index.js";
import { type JsonReply, readJson } from "./json-text.js";
import { estimateTokens } from "./tokens.js";

/** What a call spends and obeys. */
export interface ModelRun {
  readonly signal?: AbortSignal;
  readonly usage: Usage;
  readonly logger: Logger;
}

export interface StructuredRequest {
  /** Name of the schema and of the run, such as "simplemem_extract". */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly system: string;
  readonly user: string;
  /** Whether a value is an answer; an empty one only when it is the whole reply. */
  readonly fits: (value: unknown, isWhole: boolean) => boolean;
  readonly run: ModelRun;
}

const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** Messages of HTTP clients that carry neither status nor code. */
const BROKEN_CONNECTION = /connection error|fetch failed|network error|socket hang up|timed? ?out/i;
const CUT_REASONS = new Set(["length", "max_tokens", "MAX_TOKENS"]);

function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null) return 0;
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  return Number(status ?? statusCode ?? 0);
}

// A refusal is an answer about the route; anything that may be over in a moment is not.
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (TRANSIENT.has(status) || status === 401 || status === 403) return false;
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown };
  return (
    name !== "AbortError" &&
    name !== "TimeoutError" &&
    !BROKEN_CONNECTION.test(String(message)) &&
    (status === 400 || status === 404 || status === 422 || code === undefined)
  );
}

/** The spoken part of a reply: its text blocks, without reasoning blocks or side fields. */
function textOf(message: AIMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : "")).join("");
}

function isCut(message: AIMessage): boolean {
  const { finish_reason, stop_reason, finishReason } = message.response_metadata ?? {};
  return [finish_reason, stop_reason, finishReason].some((reason) => CUT_REASONS.has(String(reason)));
}

interface RawReply {
  readonly message: AIMessage | null;
  readonly parsed: unknown;
}

/**
 * One road for all stages to a model's structured reply: native structured output (or tool calling) where the model has
 * it, else JSON in text. A route that a model refused is not tried again.
 */
export class StructuredCaller {
  #usesNative: boolean;

  constructor(private readonly model: BaseChatModel) {
    this.#usesNative = typeof model.bindTools === "function" && typeof model.withStructuredOutput === "function";
  }

  /**
   * Asks, and once more with what was wrong.
   * @throws ModelOutputError when neither reply can be used; and whatever the model threw
   */
  async call(request: StructuredRequest): Promise<JsonReply> {
    const first = await this.#ask(request, request.user);
    if (first !== null) return first;
    request.run.logger.warn("a reply of the model could not be used; asking once more", { schema: request.name });
    const problem =
      "Your last reply could not be used: it held no JSON of the wanted form. Reply with the JSON alone, without any other text.";
    const second = await this.#ask(request, `${request.user}\n\n${problem}`);
    if (second !== null) return second;
    throw new ModelOutputError(
      `the model gave no usable JSON for ${request.name} in two tries; the input stays pending. Use a stronger model, or raise its token limit.`,
    );
  }

  async #ask(request: StructuredRequest, user: string): Promise<JsonReply | null> {
    if (this.#usesNative) {
      const reply = await this.#askNatively(request, user);
      if (reply !== "refused") return this.#read(request, reply);
      // Only remembered when text works: an error that hits both routes says nothing about this one.
      const inText = await this.#askInText(request, user);
      this.#usesNative = false;
      request.run.logger.info("the model refused structured output; from now on it is asked for JSON in text");
      return this.#read(request, inText);
    }
    return this.#read(request, await this.#askInText(request, user));
  }

  #config(request: StructuredRequest) {
    // The tag keeps a host's message stream clean; tracing still sees the call.
    return {
      tags: ["nostream"],
      runName: request.name,
      ...(request.run.signal === undefined ? {} : { signal: request.run.signal }),
    };
  }

  async #askNatively(request: StructuredRequest, user: string): Promise<RawReply | "refused"> {
    try {
      const schema = z.toJSONSchema(request.schema) as Record<string, unknown>;
      const structured = this.model.withStructuredOutput(schema, { name: request.name, includeRaw: true });
      const reply: unknown = await structured.invoke(
        [
          { role: "system", content: request.system },
          { role: "user", content: user },
        ],
        this.#config(request),
      );
      if (typeof reply !== "object" || reply === null || !("raw" in reply)) {
        request.run.usage.modelCalls += 1;
        return "refused";
      }
      const { raw, parsed } = reply as { raw: AIMessage; parsed?: unknown };
      this.#count(request, user, raw);
      return { message: raw, parsed };
    } catch (error) {
      if (request.run.signal?.aborted === true || !isRefusal(error)) {
        request.run.usage.modelCalls += 1;
        throw error;
      }
      // A status comes from a server: that call was made.
      if (statusOf(error) !== 0) request.run.usage.modelCalls += 1;
      return "refused";
    }
  }

  async #askInText(request: StructuredRequest, user: string): Promise<RawReply> {
    const shape = JSON.stringify(z.toJSONSchema(request.schema));
    try {
      const message = (await this.model.invoke(
        [
          { role: "system", content: `${request.system}\n\nReply with JSON of this schema and nothing else: ${shape}` },
          { role: "user", content: user },
        ],
        this.#config(request),
      )) as AIMessage;
      this.#count(request, user, message);
      return { message, parsed: null };
    } catch (error) {
      request.run.usage.modelCalls += 1;
      throw error;
    }
  }

  #read(request: StructuredRequest, reply: RawReply): JsonReply | null {
    const { message, parsed } = reply;
    const isCutOff = message !== null && isCut(message);
    if (parsed !== null && parsed !== undefined && request.fits(parsed, true)) return { value: parsed, isCutOff };
    const called = message?.tool_calls?.[0]?.args;
    if (called !== undefined && request.fits(called, true)) return { value: called, isCutOff };
    if (message === null) return null;
    const read = readJson(textOf(message), request.fits);
    return read === null ? null : { value: read.value, isCutOff: read.isCutOff };
  }

  #count(request: StructuredRequest, user: string, message: AIMessage): void {
    const { usage } = request.run;
    const counted = message.usage_metadata;
    usage.modelCalls += 1;
    usage.promptTokens += counted?.input_tokens ?? estimateTokens(request.system) + estimateTokens(user);
    usage.completionTokens += counted?.output_tokens ?? estimateTokens(textOf(message));
  }
}
