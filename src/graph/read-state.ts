import { StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import type { DialogueTurn, Hit, MemoryFilter, Plan, View } from "../records/index.js";
import type { AnswerOutput } from "../stages/answer/answerer.js";
import { exactScopeSchema, usageSum } from "./state-parts.js";

/** How a read is narrowed: `SearchOptions` as plain JSON. */
export interface ReadOptions {
  /** Hits at most, 1 to 1,000. Default: the plan's depth, 3 to 20. */
  readonly k?: number;
  /** Narrows what is found. Default: everything of the scope. */
  readonly filter?: MemoryFilter;
  /** Default: all. */
  readonly views?: readonly View[];
  /** What was believed at this time, ISO 8601. */
  readonly asOf?: string;
  /** Default "relevance". */
  readonly order?: "relevance" | "newest" | "oldest";
  /** Default "auto": a rule decides whether the question needs the model. */
  readonly planning?: "auto" | "always" | "never";
  /** Cuts the hits so that their texts fit. */
  readonly maxTokens?: number;
  /** Also finds archived, superseded and done entries. Default false. */
  readonly includeArchived?: boolean;
}

/** All of it is plain JSON. */
export const ReadState = new StateSchema({
  scope: exactScopeSchema,
  question: z.string(),
  /** False: the graph ends with the hits. */
  wantsAnswer: z.boolean().default(false),
  /** True: pieces of the answer are told to listeners of `streamMode: "custom"` as they come. */
  streamsAnswer: z.boolean().default(false),
  options: z.custom<ReadOptions>().default(() => ({})),
  recent: z.custom<DialogueTurn[]>().default(() => []),
  currentPlan: z.custom<Plan | null>().default(null),
  hits: z.custom<Hit[]>().default(() => []),
  /** Rounds of retrieval so far. */
  rounds: z.number().default(0),
  /** True after a round that brought nothing new: asking again would bring nothing either. */
  exhausted: z.boolean().default(false),
  /** Queries of the next round; none: the search is over. */
  nextQueries: z.custom<string[]>().default(() => []),
  degraded: z.string().nullable().default(null),
  reply: z.custom<AnswerOutput | null>().default(null),
  /** Why an answer that was told in pieces has no end. */
  brokenOff: z.string().nullable().default(null),
  usage: usageSum(),
});

export type ReadStateType = typeof ReadState.State;
export type ReadUpdate = typeof ReadState.Update;
