import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { StructuredCaller } from "../../models/index.js";
import type { Plan, QuestionType } from "../../records/index.js";
import type { PlanInput, Planner } from "./planner.js";
import { PLAN_SYSTEM, planUserPrompt } from "./prompt.js";
import { createRulePlanner, depthFor } from "./rules.js";

const TYPES = [
  "when",
  "who",
  "where",
  "what",
  "count",
  "yes_no",
  "list",
  "reason",
  "open",
] as const satisfies QuestionType[];
const MAX_QUERIES = 4;

const schema = z.object({
  queries: z.array(z.string()),
  keywords: z.array(z.string()),
  persons: z.array(z.string()),
  entities: z.array(z.string()),
  location: z.string().nullable(),
  after: z.string().nullable(),
  before: z.string().nullable(),
  question_type: z.string(),
  complexity: z.number(),
});

const texts = z.array(z.string()).catch([]);
const replySchema = z.object({
  queries: texts,
  keywords: texts,
  persons: texts,
  entities: texts,
  location: z.string().nullable().catch(null),
  after: z.string().nullable().catch(null),
  before: z.string().nullable().catch(null),
  question_type: z.enum(TYPES).nullable().catch(null),
  complexity: z.number().min(0).max(1).nullable().catch(null),
});

function isTime(text: string | null): text is string {
  return text !== null && !Number.isNaN(Date.parse(text));
}

function rangeOf(after: string | null, before: string | null): Plan["timeRange"] {
  const range = {
    after: isTime(after) ? new Date(after).toISOString() : null,
    before: isTime(before) ? new Date(before).toISOString() : null,
  };
  return range.after === null && range.before === null ? null : range;
}

/** Plans with one call of a chat model; what it leaves out is filled by the rules. */
export function createLlmPlanner(options: { readonly model: BaseChatModel }): Planner {
  const caller = new StructuredCaller(options.model);
  const rules = createRulePlanner();
  return {
    async plan(input: PlanInput, run): Promise<Plan> {
      const byRule = await rules.plan(input, run);
      const reply = await caller.call({
        name: "simplemem_plan",
        schema,
        system: PLAN_SYSTEM,
        user: planUserPrompt(input),
        fits: (value) => typeof value === "object" && value !== null && "queries" in value,
        run,
      });
      const read = replySchema.parse(reply.value);
      const complexity = read.complexity ?? byRule.complexity;
      const or = (given: string[], fallback: readonly string[]): readonly string[] =>
        given.length > 0 ? given : fallback;
      return {
        question: input.question,
        queries: [...new Set([input.question, ...read.queries.filter((query) => query.trim() !== "")])].slice(
          0,
          MAX_QUERIES,
        ),
        keywords: [...new Set([...byRule.keywords, ...read.keywords])],
        persons: or(read.persons, byRule.persons),
        entities: or(read.entities, byRule.entities),
        location: read.location ?? byRule.location,
        timeRange: rangeOf(read.after, read.before) ?? byRule.timeRange,
        questionType: read.question_type ?? byRule.questionType,
        complexity,
        depth: depthFor(complexity),
        source: "model",
      };
    },
  };
}
