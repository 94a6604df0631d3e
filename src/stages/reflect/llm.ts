import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { StructuredCaller } from "../../models/index.js";
import { REFLECT_SYSTEM, reflectUserPrompt } from "./prompt.js";
import type { Reflector } from "./reflector.js";

const schema = z.object({ sufficient: z.boolean(), missing: z.array(z.string()), queries: z.array(z.string()) });
const texts = z.array(z.string()).catch([]);
const replySchema = z.object({ sufficient: z.boolean(), missing: texts, queries: texts });
const MAX_QUERIES = 3;

/** Judges coverage with one call of a chat model. */
export function createLlmReflector(options: { readonly model: BaseChatModel }): Reflector {
  const caller = new StructuredCaller(options.model);
  return {
    async reflect({ plan, hits }, run) {
      const reply = await caller.call({
        name: "simplemem_reflect",
        schema,
        system: REFLECT_SYSTEM,
        user: reflectUserPrompt(plan, hits),
        fits: (value) => replySchema.safeParse(value).success,
        run,
      });
      const { sufficient, missing, queries } = replySchema.parse(reply.value);
      const asked = new Set(plan.queries);
      return {
        sufficient,
        missing,
        queries: queries.filter((query) => query.trim() !== "" && !asked.has(query)).slice(0, MAX_QUERIES),
      };
    },
  };
}
