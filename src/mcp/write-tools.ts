import { z } from "zod/v4";
import type { AddInput, ForgetReceipt } from "../records/index.js";
import { memoryLine } from "../retrievers/index.js";
import { fenced, NOTICE } from "./fence.js";
import { type MemoryTool, memoryTool, READS } from "./tool.js";

const MAX_TURNS = 200;
const MAX_IDS = 100;

const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

const turn = z.strictObject({
  speaker: z.string().min(1).describe("The name of who speaks"),
  content: z.string().min(1).describe("What was said, word for word"),
  role: z.enum(["user", "assistant", "tool", "system"]).optional().describe("Default: user"),
  timestamp: z.string().optional().describe("When it was said, ISO 8601. Default: now"),
  id: z.string().min(1).optional().describe("An id of your own: the same turn sent twice is then kept once"),
});

const addDialogue = memoryTool({
  name: "add_dialogue",
  title: "Add dialogue",
  description:
    "Keeps turns of a conversation for good. Give what was said word for word, in its order, each turn with its speaker: " +
    "facts are made of it later, and it is found at once. Do not add what came from memory, nor a summary of your own.",
  input: z.strictObject({ turns: z.array(turn).min(1).max(MAX_TURNS) }),
  output: z.object({
    accepted: z.number(),
    duplicates: z.number(),
    refused: z.number().describe("Turns that were forgotten for good and stay so"),
    pending: z.number().describe("Turns that wait to be rewritten into facts"),
  }),
  hints: WRITES,
  run: async (memory, { turns }) => {
    const { accepted, duplicates, refused, pending } = await memory.add(turns.map((one): AddInput => one));
    const text = `${accepted} turns kept, ${duplicates} known already, ${refused} refused.`;
    return { text, data: { accepted, duplicates, refused, pending } };
  },
});

const fact = z.object({
  key: z.string(),
  value: z.string(),
  category: z.string(),
  expiresAt: z.string().nullable(),
  updatedAt: z.string(),
});

type FactData = z.output<typeof fact>;

function factData({ key, value, category, expiresAt, updatedAt }: FactData): FactData {
  return { key, value, category, expiresAt, updatedAt };
}

function factLine({ key, value, category }: FactData): string {
  return `${key} = ${value} [${category}]`;
}

const rememberFact = memoryTool({
  name: "remember_fact",
  title: "Remember a fact",
  description:
    "Keeps one exact value about this user under a key, such as home.city = Graz. The same key again replaces the value and " +
    "keeps the former one in its history. Use it for settings and details that must stay word for word.",
  input: z.strictObject({
    key: z.string().min(1).describe('A short name such as "home.city"'),
    value: z.string(),
    category: z.string().min(1).optional().describe("Groups facts. Default: general"),
    expiresAt: z.string().optional().describe("After this it is not given, ISO 8601. Default: it stays"),
  }),
  output: z.object({ notice: z.string(), fact }),
  hints: { ...WRITES, idempotentHint: true },
  run: async (memory, { key, value, ...options }) => {
    const kept = factData(await memory.facts.remember(key, value, options));
    return { text: fenced([factLine(kept)], ""), data: { notice: NOTICE, fact: kept } };
  },
});

const recallFacts = memoryTool({
  name: "recall_facts",
  title: "Recall facts",
  description: "Lists exact values that were kept with remember_fact: all, or those whose key matches.",
  input: z.strictObject({
    pattern: z.string().optional().describe('A key, or keys with * for any characters, such as "home.*"'),
    category: z.string().optional(),
    allSessions: z.boolean().optional().describe("Also those of the user's other conversations"),
  }),
  output: z.object({ notice: z.string(), facts: z.array(fact) }),
  hints: READS,
  run: async (memory, { pattern, category, allSessions }) => {
    const facts = (
      await memory.facts.recall(pattern, {
        sessions: allSessions === true ? "all" : "current",
        ...(category === undefined ? {} : { category }),
      })
    ).map(factData);
    return { text: fenced(facts.map(factLine), "No such fact."), data: { notice: NOTICE, facts } };
  },
});

function receiptText({ removed, candidates }: ForgetReceipt, isDry: boolean): string {
  if (candidates !== undefined) {
    const lines = candidates.map(memoryLine);
    return `${fenced(lines, "Nothing seems to be meant.")}\nNothing was removed: call forget with the ids of what is meant.`;
  }
  const { entries, turns, facts } = removed;
  const counts = `${entries} entries, ${turns} turns, ${facts} facts`;
  return isDry ? `Would remove ${counts}. Nothing was removed.` : `Removed ${counts}.`;
}

const forget = memoryTool({
  name: "forget",
  title: "Forget",
  description:
    "Removes memories for good, by their ids; the turns that say nothing else go with them. Given a query instead of ids it removes " +
    "nothing and lists what may be meant: show that to the user, and remove only what they name.",
  input: z.strictObject({
    ids: z
      .array(z.string().min(1))
      .min(1)
      .max(MAX_IDS)
      .optional()
      .describe("Ids of search_memory, timeline or a query"),
    query: z.string().optional().describe("What to look for; removes nothing"),
    dryRun: z.boolean().optional().describe("With ids: says how much would go, and removes nothing"),
    purge: z.boolean().optional().describe("Also rewrites the files, so that the bytes are gone. Slow"),
  }),
  output: z.object({
    notice: z.string(),
    dryRun: z.boolean().describe("True: nothing was removed; the counts are of what would be"),
    removed: z.object({ entries: z.number(), turns: z.number(), facts: z.number(), windows: z.number() }),
    purged: z.boolean(),
    verified: z.boolean(),
    candidates: z
      .array(z.object({ id: z.string(), kind: z.string(), text: z.string(), timestamp: z.string().nullable() }))
      .optional(),
  }),
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  run: async (memory, { query, dryRun, ...options }) => {
    const isDry = query === undefined ? dryRun : true;
    const receipt = await memory.forget({
      ...options,
      ...(query === undefined ? {} : { query }),
      ...(isDry === undefined ? {} : { dryRun: isDry }),
    });
    const { removed, purged, verified } = receipt;
    const candidates = receipt.candidates?.map(({ id, kind, text, timestamp }) => ({ id, kind, text, timestamp }));
    return {
      text: receiptText(receipt, isDry === true),
      data: {
        notice: NOTICE,
        dryRun: isDry === true,
        removed,
        purged,
        verified,
        ...(candidates === undefined ? {} : { candidates }),
      },
    };
  },
});

/** What writes memory, what was kept word for word, and what removes. */
export const WRITE_TOOLS: readonly MemoryTool[] = [addDialogue, rememberFact, recallFacts, forget];
