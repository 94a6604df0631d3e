import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { StructuredCaller } from "../../models/index.js";
import type { Answerer } from "./answerer.js";
import { ANSWER_SYSTEM, answerUserPrompt } from "./prompt.js";

const schema = z.object({
  answer: z.string(),
  abstained: z.boolean(),
  reason: z.string().nullable(),
  confidence: z.number(),
  citations: z.array(z.number()),
});
const replySchema = z.object({
  answer: z.string().catch(""),
  abstained: z.boolean().catch(false),
  reason: z.string().nullable().catch(null),
  confidence: z.number().min(0).max(1).catch(0.5),
  citations: z.array(z.number()).catch([]),
});
/** What an answer without proof is worth. */
const UNPROVEN_CONFIDENCE = 0.3;

/** Answers with one call of a chat model, from the numbered block alone. Without hits nobody is asked. */
export function createLlmAnswerer(options: { readonly model: BaseChatModel }): Answerer {
  const caller = new StructuredCaller(options.model);
  return {
    async answer(input, run) {
      if (input.hits.length === 0) {
        return {
          answer: "",
          abstained: true,
          reason: "Nothing that is remembered speaks of it.",
          confidence: 0,
          citedIds: [],
        };
      }
      const reply = await caller.call({
        name: "simplemem_answer",
        schema,
        system: ANSWER_SYSTEM,
        user: answerUserPrompt(input),
        fits: (value) => typeof value === "object" && value !== null && "answer" in value,
        run,
      });
      const { answer, abstained, reason, confidence, citations } = replySchema.parse(reply.value);
      const isEmpty = abstained || answer.trim() === "";
      const citedIds = [...new Set(citations.flatMap((number) => input.hits[number - 1]?.id ?? []))];
      return {
        answer: isEmpty ? "" : answer,
        abstained: isEmpty,
        ...(reason === null ? {} : { reason }),
        confidence: citedIds.length === 0 ? Math.min(confidence, UNPROVEN_CONFIDENCE) : confidence,
        citedIds: isEmpty ? [] : citedIds,
      };
    },
  };
}
