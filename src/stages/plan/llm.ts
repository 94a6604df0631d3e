import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { StructuredCaller } from "../../models/index.js";
import { InvalidInputError, type Plan, parseInstant, type QuestionType } from "../../records/index.js";
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
const MAX_QUERY_CHARS = 300;
const MAX_NAMES = 8;
const MAX_KEYWORDS = 16;

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

const texts = z
  .array(z.unknown())
  .catch([])
  .transform((list) =>
    list
      .filter((one): one is string => typeof one === "string" && one.trim() !== "")
      .map((one) => one.slice(0, MAX_QUERY_CHARS).toWellFormed().trim()),
  );
const textOrNull = z.string().nullable().catch(null);
const replySchema = z.object({
  queries: texts,
  keywords: texts.default([]),
  persons: texts.default([]),
  entities: texts.default([]),
  location: textOrNull.default(null),
  after: textOrNull.default(null),
  before: textOrNull.default(null),
  question_type: z.enum(TYPES).nullable().catch(null).default(null),
  complexity: z.coerce.number().min(0).max(1).nullable().catch(null).default(null),
});

function instantOf(text: string | null, timeZone: string): string | null {
  if (text === null) return null;
  try {
    return parseInstant(text, timeZone).instant;
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

/** The range, or null when it names no time or ends before it begins. */
function rangeOf(after: string | null, before: string | null, timeZone: string): Plan["timeRange"] {
  const range = { after: instantOf(after, timeZone), before: instantOf(before, timeZone) };
  if (range.after === null && range.before === null) return null;
  return range.after !== null && range.before !== null && range.before <= range.after ? null : range;
}

function someOr(given: readonly string[], fallback: readonly string[]): readonly string[] {
  return given.length > 0 ? given.slice(0, MAX_NAMES) : fallback;
}

/** Queries that differ in more than case and white space, the question first. */
function queriesOf(question: string, asked: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const query of [question, ...asked]) {
    const key = query.toLowerCase().replace(/\s+/g, " ").trim();
    if (!byKey.has(key)) byKey.set(key, query);
  }
  return [...byKey.values()].slice(0, MAX_QUERIES);
}

export interface LlmPlannerOptions {
  readonly model: BaseChatModel;
  /** Asks the model. Share one per model. Default: one of its own. */
  readonly caller?: StructuredCaller;
}

/** Plans with one call of a chat model; what it leaves out is filled by the rules. */
export function createLlmPlanner(options: LlmPlannerOptions): Planner {
  const caller = options.caller ?? new StructuredCaller(options.model);
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
      return {
        question: input.question,
        queries: queriesOf(input.question, read.queries),
        keywords: [...new Set([...byRule.keywords, ...read.keywords])].slice(0, MAX_KEYWORDS),
        persons: someOr(read.persons, byRule.persons),
        entities: someOr(read.entities, byRule.entities),
        location: read.location ?? byRule.location,
        timeRange: rangeOf(read.after, read.before, input.timeZone) ?? byRule.timeRange,
        questionType: read.question_type ?? byRule.questionType,
        complexity,
        depth: depthFor(complexity),
        source: "model",
        ...(byRule.sequence === undefined ? {} : { sequence: byRule.sequence }),
      };
    },
  };
}
