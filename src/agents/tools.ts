/**
 * Memory as tools, for agents that decide themselves what to keep.
 * @packageDocumentation
 */

import type { RunnableConfig } from "@langchain/core/runnables";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod/v4";
import { shortened } from "../language/shortened.js";
import type { Fact, Hit, ScopedMemory } from "../records/index.js";
import { checkSource, type MemorySource, memoryOf } from "../records/memory-source.js";
import { memoryLine } from "../retrievers/context-block.js";

export type { MemoryContext, MemoryRuntime } from "../records/memory-source.js";

/** Whose memory the tools use. The model has no say in it: no tool takes a user, an agent or a session. */
export type MemoryToolsOptions = MemorySource;

/** Results of one call, and characters of each, so that no call floods the model's context. */
const MAX_RESULTS = 10;
const MAX_TEXT = 400;

type MemoryFrom = (config: RunnableConfig) => ScopedMemory;

const factKey = z.string().trim().min(1);

function factLine(fact: Fact): string {
  return `${fact.key} = ${shortened(fact.value, MAX_TEXT)} [${fact.category}]`;
}

function hitLine(hit: Hit): string {
  return memoryLine({ ...hit, text: shortened(hit.text, MAX_TEXT) });
}

function linesOr(lines: readonly string[], nothing: string): string {
  if (lines.length === 0) return nothing;
  const more = lines.length - MAX_RESULTS;
  return [...lines.slice(0, MAX_RESULTS), ...(more > 0 ? [`(${more} more; narrow the pattern)`] : [])].join("\n");
}

/**
 * Tools by which an agent keeps and finds what it knows of its user: remember_fact, recall_facts, forget_fact and
 * search_memory. Whose memory they use is fixed by the program, or read from the run (`context`, `configurable`).
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example createAgent({ model, tools: createMemoryTools({ memory }) })
 * @example createMemoryTools({ scopeFrom: ({ context }) => simplemem.scope({ userId: context?.userId ?? "" }) })
 */
export function createMemoryTools(options: MemoryToolsOptions): StructuredToolInterface[] {
  checkSource(options, "createMemoryTools");
  const memoryFrom: MemoryFrom = (config) => memoryOf(options, config);
  return [rememberFact(memoryFrom), recallFacts(memoryFrom), forgetFact(memoryFrom), searchMemory(memoryFrom)];
}

function rememberFact(memoryFrom: MemoryFrom): StructuredToolInterface {
  return tool(
    async ({ key, value, category }, config) => {
      const { facts } = memoryFrom(config);
      return `Remembered: ${factLine(await facts.remember(key, value, category === undefined ? {} : { category }))}`;
    },
    {
      name: "remember_fact",
      description: "Keeps one exact fact about the user under a key. The same key again replaces the value.",
      schema: z.object({
        key: factKey.describe('Short name such as "home.city"'),
        value: z.string(),
        category: z.string().trim().min(1).optional(),
      }),
    },
  );
}

function recallFacts(memoryFrom: MemoryFrom): StructuredToolInterface {
  return tool(
    async ({ pattern, category, all_sessions }, config) => {
      const facts = await memoryFrom(config).facts.recall(pattern, {
        ...(category === undefined ? {} : { category }),
        sessions: all_sessions === true ? "all" : "current",
      });
      return linesOr(facts.map(factLine), "No such fact.");
    },
    {
      name: "recall_facts",
      description: "Lists kept facts: all of this conversation, or those that match.",
      schema: z.object({
        pattern: z.string().optional().describe('A key, or keys with * for any characters, such as "home.*"'),
        category: z.string().optional(),
        all_sessions: z.boolean().optional().describe("Also facts of the user's other conversations"),
      }),
    },
  );
}

function forgetFact(memoryFrom: MemoryFrom): StructuredToolInterface {
  return tool(
    async ({ key }, config) =>
      (await memoryFrom(config).facts.forget(key)) ? `Forgot ${key}.` : `There was no fact ${key}.`,
    {
      name: "forget_fact",
      description: "Removes the fact of this conversation that is kept under exactly this key.",
      schema: z.object({ key: factKey }),
    },
  );
}

function searchMemory(memoryFrom: MemoryFrom): StructuredToolInterface {
  return tool(
    async ({ query, limit }, config) => {
      const { hits } = await memoryFrom(config).search(query, {
        k: limit ?? MAX_RESULTS,
        planning: "never",
        ...(config.signal === undefined ? {} : { signal: config.signal }),
      });
      return linesOr(hits.map(hitLine), "Nothing found.");
    },
    {
      name: "search_memory",
      description: "Searches what was said in earlier conversations with the user. Each line: id (date): text.",
      schema: z.object({ query: z.string(), limit: z.int().min(1).max(MAX_RESULTS).optional() }),
    },
  );
}
