import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { StructuredCaller } from "../../models/index.js";
import type { Plan } from "../../records/index.js";
import { REFLECT_SYSTEM, reflectUserPrompt } from "./prompt.js";
import type { Reflector } from "./reflector.js";

const schema = z.object({ sufficient: z.boolean(), missing: z.array(z.string()), queries: z.array(z.string()) });
const MAX_QUERIES = 3;
const MAX_QUERY_CHARS = 300;
const texts = z
  .array(z.unknown())
  .catch([])
  .default([])
  .transform((list) =>
    list
      .filter((one): one is string => typeof one === "string" && one.trim() !== "")
      .map((one) => one.slice(0, MAX_QUERY_CHARS).toWellFormed().trim()),
  );
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const replySchema = z.object({ sufficient: flag, missing: texts, queries: texts });

const keyOf = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/** Queries that were not searched yet, each once. */
function newQueries(plan: Plan, queries: readonly string[]): string[] {
  const searched = new Set(plan.queries.map(keyOf));
  return queries.filter((query) => {
    const key = keyOf(query);
    return !searched.has(key) && searched.add(key);
  });
}

export interface LlmReflectorOptions {
  readonly model: BaseChatModel;
  /** Asks the model. Share one per model. Default: one of its own. */
  readonly caller?: StructuredCaller;
}

/** Judges coverage with one call of a chat model. Its queries are for exactly what it says is missing. */
export function createLlmReflector(options: LlmReflectorOptions): Reflector {
  const caller = options.caller ?? new StructuredCaller(options.model);
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
      if (sufficient) return { sufficient, missing: [], queries: [] };
      // A model that names what is missing and no query has said what to search for.
      const wanted = queries.length > 0 ? queries : missing;
      return { sufficient, missing, queries: newQueries(plan, wanted).slice(0, MAX_QUERIES) };
    },
  };
}
