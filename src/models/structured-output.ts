import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "@langchain/core/messages";
import { mergeConfigs, type Runnable } from "@langchain/core/runnables";
import { z } from "zod/v4";
import { type Logger, ModelOutputError, SimpleMemError, type Usage } from "../records/index.js";
import type { CallBudget } from "./call-budget.js";
import { type JsonReply, readJson, type WantedJson } from "./json-text.js";
import { ModelBreakers } from "./model-breaker.js";
import { isLengthError, isRefusal, isUnavailable, statusOf } from "./model-errors.js";
import { OpenCall } from "./open-call.js";
import { withoutReasoning } from "./reasoning.js";
import { complaintAbout, isReply, textOf, wasCut } from "./reply-message.js";
import { surroundingConfig } from "./surrounding-config.js";

/** What a call spends and obeys. */
export interface ModelRun {
  /** Stop when it aborts. */
  readonly signal?: AbortSignal;
  /** What is spent is added to it. */
  readonly usage: Usage;
  /** Where to report; never the text of a turn. */
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Absent: as many calls as it takes. */
  readonly budget?: CallBudget;
}

export interface StructuredRequest extends WantedJson {
  /** Name of the schema and of the run, such as "simplemem_extract". */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly system: string;
  readonly user: string;
  /** True: a reply that was cut off before its first whole item is not asked for again; the caller asks for less. */
  readonly canSplit?: boolean;
  readonly run: ModelRun;
}

/** A usable reply. `isCutOff`: it ended early, and only its whole items are here. */
export type StructuredReply = Pick<JsonReply, "value" | "isCutOff">;

/** The reply reached the token limit before it held anything whole. */
export class ReplyCutOffError extends ModelOutputError {
  override readonly name = "ReplyCutOffError";
}

type Named = Pick<StructuredRequest, "name" | "run">;

/** Ways to ask for JSON, the most reliable first. */
const ROUTES = ["native", "tools", "text"] as const;
type Route = (typeof ROUTES)[number];

interface RawReply {
  readonly message: AIMessage | null;
  /** What the client made of it; undefined when it made nothing. */
  readonly parsed: unknown;
  readonly isCut: boolean;
}

/** What one asking gave: something usable, or what was wrong. */
type Asked = { readonly reply: StructuredReply } | { readonly complaint: string; readonly isCut: boolean };

function has(model: object, method: string): boolean {
  return typeof Reflect.get(model, method) === "function";
}

function routesOf(model: BaseChatModel): Route[] {
  const canBind = has(model, "bindTools");
  return ROUTES.filter(
    (route) => route === "text" || (canBind && (route === "tools" || has(model, "withStructuredOutput"))),
  );
}

/**
 * One road for all stages to a model's structured reply: native structured output where the model has it, else a tool
 * that it may call, else JSON in text. A way that a model refused is not tried again, so keep one caller per model.
 */
export class StructuredCaller {
  /** The ways that are left, the best first. */
  #routes: readonly Route[];
  readonly #breakers = new ModelBreakers();

  constructor(private readonly model: BaseChatModel) {
    this.#routes = routesOf(model);
  }

  /**
   * Asks, and once more with what was wrong.
   * @throws ReplyCutOffError when the reply was cut off before anything whole and the request can be split
   * @throws ModelOutputError when neither reply can be used; and whatever the model threw
   */
  async call(request: StructuredRequest): Promise<StructuredReply> {
    const first = await this.#ask(request, request.user);
    if ("reply" in first) return first.reply;
    if (first.isCut && request.canSplit === true) {
      throw new ReplyCutOffError(
        `the model's reply for ${request.name} reached its token limit before the first whole item.`,
      );
    }
    request.run.usage.retries += 1;
    request.run.logger.warn("a reply of the model could not be used; asking once more", {
      schema: request.name,
      problem: first.complaint,
    });
    const again = `Your last reply could not be used: ${first.complaint}. Reply with the JSON alone, without any other text.`;
    const second = await this.#ask(request, `${request.user}\n\n${again}`);
    if ("reply" in second) return second.reply;
    const Failure = second.isCut ? ReplyCutOffError : ModelOutputError;
    throw new Failure(
      `the model gave no usable JSON for ${request.name} in two tries: ${second.complaint}. The input stays pending. Use a stronger model, or raise its token limit.`,
    );
  }

  /** Asks for plain words, which are handed on as they come. */
  async *stream(request: Pick<StructuredRequest, "name" | "system" | "user" | "run">): AsyncGenerator<string> {
    const call = this.#start(request, request.user);
    try {
      const chunks = await this.model.stream(messagesOf(request.system, request.user), configOf(request, call));
      for await (const chunk of chunks) {
        const text = textOf(chunk);
        call.written += text;
        if (text !== "") yield text;
      }
      this.#breakers.answered(request.name);
    } catch (error) {
      this.#noteFailure(error, request);
      throw error;
    } finally {
      call.count({ calls: 1, text: call.written });
      call.end();
    }
  }

  /** Goes down the ways that are left until one is not refused. */
  async #ask(request: StructuredRequest, user: string): Promise<Asked> {
    let refused: unknown = null;
    for (const route of this.#routes) {
      const reply = await this.#askBy(route, request, user);
      if ("refusal" in reply) {
        refused = reply.refusal;
        continue;
      }
      if (refused !== null) {
        // Only remembered when another way works: an error that hits all of them says nothing about one.
        this.#routes = this.#routes.slice(this.#routes.indexOf(route));
        request.run.logger.info("the model refused a way of asking; from now on it is asked otherwise", { route });
      }
      return read(request, reply);
    }
    throw refused;
  }

  async #askBy(
    route: Route,
    request: StructuredRequest,
    user: string,
  ): Promise<RawReply | { readonly refusal: unknown }> {
    const call = this.#start(request, user);
    try {
      const asked = this.#prepare(route, request);
      const given: unknown = await asked.invoke(messagesOf(systemFor(route, request), user), configOf(request, call));
      const reply = rawReply(route, given, call);
      this.#breakers.answered(request.name);
      call.count({ calls: reply === null ? 0 : 1, text: "" });
      return reply ?? { refusal: new ModelOutputError(`the model gave nothing for ${request.name}.`) };
    } catch (error) {
      // A status comes from a server: that call was made. Without one, a client may have refused before any call.
      call.count({ calls: statusOf(error) === 0 && route !== "text" ? 0 : 1, text: "" });
      const { message } = call.listener;
      if (message !== null) return { message, parsed: undefined, isCut: wasCut(message) };
      if (isLengthError(error)) return { message: null, parsed: undefined, isCut: true };
      if (route === "text" || request.run.signal?.aborted === true || !isRefusal(error)) {
        this.#noteFailure(error, request);
        throw error;
      }
      return { refusal: error };
    } finally {
      call.end();
    }
  }

  #start(request: Named & Pick<StructuredRequest, "system">, user: string): OpenCall {
    const { name, system, run } = request;
    this.#breakers.ensureClosed(name, run.now());
    run.budget?.take();
    return new OpenCall({
      shown: [system, user],
      usage: run.usage,
      onAbort: () => this.#noteTimeout(request),
      ...(run.signal === undefined ? {} : { signal: run.signal }),
    });
  }

  #prepare(route: Route, request: StructuredRequest): Runnable {
    if (route === "text") return this.model;
    const schema = z.toJSONSchema(request.schema) as Record<string, unknown>;
    if (route === "native") return this.model.withStructuredOutput(schema, { name: request.name, includeRaw: true });
    const description = "Takes the result. Call it once.";
    // Offered, not forced: models that think refuse a forced choice.
    const tool = { type: "function", function: { name: request.name, description, parameters: schema } };
    if (this.model.bindTools === undefined) throw new ModelOutputError("the model takes no tools.");
    return this.model.bindTools([tool]);
  }

  // A deadline of ours aborts with an error of ours; an abort of the caller's says nothing about the model.
  #noteTimeout({ name, run }: Named): void {
    if (run.signal?.reason instanceof SimpleMemError) this.#breakers.failed(name, "timeout", run.now());
  }

  #noteFailure(error: unknown, { name, run }: Named): void {
    if (run.signal?.aborted !== true && isUnavailable(error)) this.#breakers.failed(name, "error", run.now());
  }
}

function messagesOf(system: string, user: string) {
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}

function configOf({ name, run }: Named, { listener }: OpenCall) {
  return mergeConfigs(surroundingConfig(), {
    // The tag keeps a host's message stream clean; tracing still sees the call.
    tags: ["nostream"],
    runName: name,
    callbacks: [listener],
    // Retries are ours: models retry up to six times by themselves, unseen and uncounted.
    ...{ maxRetries: 0 },
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  });
}

function systemFor(route: Route, { name, schema, system }: StructuredRequest): string {
  if (route === "native") return system;
  if (route === "tools") return `${system}\n\nCall the tool ${name} once with the result.`;
  return `${system}\n\nReply with JSON of this schema and nothing else: ${JSON.stringify(z.toJSONSchema(schema))}`;
}

/** The reply in one form, whatever the way gave; null when there is neither a message nor a value. */
function rawReply(route: Route, given: unknown, { listener }: OpenCall): RawReply | null {
  if (route !== "native") {
    return isReply(given) ? { message: given, parsed: undefined, isCut: wasCut(given) } : null;
  }
  const isPair = typeof given === "object" && given !== null && "raw" in given;
  const raw: unknown = isPair ? given.raw : listener.message;
  const message = isReply(raw) ? raw : null;
  const parsed: unknown = isPair ? Reflect.get(given, "parsed") : given;
  if (message === null && (parsed === null || parsed === undefined)) return null;
  return { message, parsed, isCut: message !== null && wasCut(message) };
}

function read(request: StructuredRequest, { message, parsed, isCut }: RawReply): Asked {
  const values = [parsed, message?.tool_calls?.[0]?.args];
  for (const value of values) {
    if (value !== null && value !== undefined && request.fits(value, true))
      return { reply: { value, isCutOff: isCut } };
  }
  const text = message === null ? "" : textOf(message);
  const found = readJson(text, request);
  if (found !== null) {
    return { reply: { value: found.value, isCutOff: found.isCutOff || (isCut && found.endsOpen) } };
  }
  return { complaint: complaintAbout(message, withoutReasoning(text)), isCut };
}
