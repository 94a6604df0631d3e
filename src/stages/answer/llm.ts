import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { detectLanguage } from "../../language/index.js";
import { StructuredCaller } from "../../models/index.js";
import { ModelOutputError, ModelUnavailableError } from "../../records/index.js";
import type { StageRun } from "../run.js";
import { AnswerStream } from "./answer-stream.js";
import type { Answerer, AnswerInput, AnswerOutput } from "./answerer.js";
import { ANSWER_STREAM_SYSTEM, ANSWER_SYSTEM, answerUserPrompt } from "./prompt.js";
import { createRuleAnswerer } from "./rules.js";

const schema = z.object({
  answer: z.string(),
  abstained: z.boolean(),
  reason: z.string().nullable(),
  confidence: z.number(),
  citations: z.array(z.number()),
});
/** A number of a memory, also as "3" or "[3]". */
const citation = z.union([
  z.int(),
  z
    .string()
    .regex(/^\[?\d{1,4}\]?$/)
    .transform((text) => Number(text.replace(/[[\]]/g, ""))),
]);
const words = z.union([z.string(), z.number().transform(String)]);
const replySchema = z.object({
  answer: words.catch(""),
  abstained: z.boolean().catch(false),
  reason: z.string().nullish().catch(null),
  confidence: z.coerce.number().min(0).max(1).catch(0.5),
  citations: z
    .array(z.unknown())
    .catch([])
    .transform((list) => list.flatMap((one) => citation.safeParse(one).data ?? [])),
});
/** What an answer without proof is worth. */
const UNPROVEN_CONFIDENCE = 0.3;
/** What an answer in plain words is worth, which tells no confidence of its own. */
const STREAMED_CONFIDENCE = 0.8;
const SPLIT_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

interface Said {
  readonly answer: string;
  readonly abstained: boolean;
  readonly reason: string | null;
  readonly confidence: number;
  readonly numbers: readonly number[];
}

function fallbackReason(question: string): string {
  return detectLanguage(question) === "zh" ? "记忆中没有相关内容。" : "Nothing that is remembered speaks of it.";
}

/** What the model said, held against the hits: numbers that name none are dropped, and an answer without proof is doubted. */
function checked(said: Said, { question, hits }: AnswerInput): AnswerOutput {
  const answer = said.answer.replace(SPLIT_SURROGATE, "").trim();
  const citedIds = [...new Set(said.numbers.flatMap((number) => hits[number - 1]?.id ?? []))];
  if (said.abstained || answer === "") {
    const reason = said.reason?.trim() || fallbackReason(question);
    return { answer: "", abstained: true, reason, confidence: 0, citedIds: [] };
  }
  const confidence = citedIds.length === 0 ? Math.min(said.confidence, UNPROVEN_CONFIDENCE) : said.confidence;
  return { answer, abstained: false, ...(said.reason ? { reason: said.reason } : {}), confidence, citedIds };
}

export interface LlmAnswererOptions {
  readonly model: BaseChatModel;
  /** Asks the model. Share one per model. Default: one of its own. */
  readonly caller?: StructuredCaller;
}

/**
 * Answers with one call of a chat model, from the numbered block alone. Without hits nobody is asked; when the reply
 * cannot be used, or the model is being left alone, the rules answer.
 */
export function createLlmAnswerer(options: LlmAnswererOptions): Answerer {
  const caller = options.caller ?? new StructuredCaller(options.model);
  const rules = createRuleAnswerer();

  async function ask(input: AnswerInput, run: StageRun): Promise<AnswerOutput> {
    const reply = await caller.call({
      name: "simplemem_answer",
      schema,
      system: ANSWER_SYSTEM,
      user: answerUserPrompt(input),
      fits: (value) => typeof value === "object" && value !== null && "answer" in value,
      run,
    });
    const { citations, reason, ...rest } = replySchema.parse(reply.value);
    return checked({ ...rest, reason: reason ?? null, numbers: citations }, input);
  }

  return {
    async answer(input, run) {
      if (input.hits.length === 0) return checked({ ...NOTHING }, input);
      try {
        return await ask(input, run);
      } catch (error) {
        if (!(error instanceof ModelOutputError || error instanceof ModelUnavailableError)) throw error;
        run.logger.warn("the question was answered by rules, since the model gave no usable answer");
        return rules.answer(input, run);
      }
    },

    async *stream(input, run) {
      if (input.hits.length === 0) return checked({ ...NOTHING }, input);
      const parts = new AnswerStream();
      const request = { name: "simplemem_answer", system: ANSWER_STREAM_SYSTEM, user: answerUserPrompt(input), run };
      for await (const piece of caller.stream(request)) {
        const shown = parts.push(piece);
        if (shown !== "") yield shown;
      }
      const { rest, answer } = parts.end();
      if (rest !== "") yield rest;
      const said = { answer: answer.text, abstained: answer.reason !== undefined, reason: answer.reason ?? null };
      return checked({ ...said, confidence: STREAMED_CONFIDENCE, numbers: answer.numbers }, input);
    },
  };
}

const NOTHING: Said = { answer: "", abstained: true, reason: null, confidence: 0, numbers: [] };
