import type { RunnableConfig } from "@langchain/core/runnables";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod/v4";
import type { Fact, Hit, ScopedMemory } from "../records/index.js";

export type MemoryToolsOptions =
  | { readonly memory: ScopedMemory }
  | {
      /** The handle of the calling user, from the run's configuration: never from what the model writes. */
      readonly scopeFrom: (config: RunnableConfig) => ScopedMemory;
    };

/** Results of one call, and characters of each, so that no call floods the model's context. */
const MAX_RESULTS = 10;
const MAX_TEXT = 400;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

function factLine(fact: Fact): string {
  return `${fact.key} = ${shortened(fact.value)} [${fact.category}]`;
}

function hitLine(hit: Hit): string {
  return `${hit.id} (${hit.timestamp?.slice(0, 10) ?? "no date"}): ${shortened(hit.text)}`;
}

function linesOr(lines: readonly string[], nothing: string): string {
  return lines.length === 0 ? nothing : lines.slice(0, MAX_RESULTS).join("\n");
}

/**
 * Tools by which an agent keeps and finds what it knows of its user: remember_fact, recall_facts, forget_fact and
 * search_memory. Whose memory they use is fixed by the program.
 * @example createAgent({ model, tools: createMemoryTools({ memory }) })
 */
export function createMemoryTools(options: MemoryToolsOptions): StructuredToolInterface[] {
  const memoryOf = (config: RunnableConfig): ScopedMemory =>
    "memory" in options ? options.memory : options.scopeFrom(config);
  return [rememberFact(memoryOf), recallFacts(memoryOf), forgetFact(memoryOf), searchMemory(memoryOf)];
}

type MemoryOf = (config: RunnableConfig) => ScopedMemory;

function rememberFact(memoryOf: MemoryOf): StructuredToolInterface {
  return tool(
    async ({ key, value, category }, config) => {
      const fact = await memoryOf(config).facts.remember(key, value, category === undefined ? {} : { category });
      return `Remembered: ${factLine(fact)}`;
    },
    {
      name: "remember_fact",
      description: "Keeps one exact fact about the user under a key. The same key again replaces the value.",
      schema: z.object({
        key: z.string().describe('Short name such as "home.city"'),
        value: z.string(),
        category: z.string().optional(),
      }),
    },
  );
}

function recallFacts(memoryOf: MemoryOf): StructuredToolInterface {
  return tool(
    async ({ pattern, category, all_sessions }, config) => {
      const facts = await memoryOf(config).facts.recall(pattern, {
        ...(category === undefined ? {} : { category }),
        sessions: all_sessions === true ? "all" : "current",
      });
      return linesOr(facts.map(factLine), "No such fact.");
    },
    {
      name: "recall_facts",
      description: "Lists kept facts whose key matches. * stands for any characters.",
      schema: z.object({
        pattern: z.string().optional(),
        category: z.string().optional(),
        all_sessions: z.boolean().optional(),
      }),
    },
  );
}

function forgetFact(memoryOf: MemoryOf): StructuredToolInterface {
  return tool(
    async ({ key }, config) =>
      (await memoryOf(config).facts.forget(key)) ? `Forgot ${key}.` : `There was no fact ${key}.`,
    {
      name: "forget_fact",
      description: "Removes the fact kept under exactly this key.",
      schema: z.object({ key: z.string() }),
    },
  );
}

function searchMemory(memoryOf: MemoryOf): StructuredToolInterface {
  return tool(
    async ({ query }, config) => {
      const { hits } = await memoryOf(config).search(query, { k: MAX_RESULTS });
      return linesOr(hits.map(hitLine), "Nothing found.");
    },
    {
      name: "search_memory",
      description: "Searches what was said in earlier conversations with the user.",
      schema: z.object({ query: z.string() }),
    },
  );
}
