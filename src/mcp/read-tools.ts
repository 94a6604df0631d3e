import { z } from "zod/v4";
import type { Hit } from "../records/index.js";
import { memoryLine } from "../retrievers/index.js";
import { fenced, NOTICE } from "./fence.js";
import { type MemoryTool, memoryTool, READS } from "./tool.js";

const MAX_HITS = 50;
const DEFAULT_HITS = 10;

const time = z.string().describe("ISO 8601, such as 2025-03-01 or 2025-03-01T10:00:00Z");
const notice = z.string().describe("What the texts beside it are");
const names = z.array(z.string()).max(20);

const hit = z.object({
  id: z.string().describe("What the tool forget takes"),
  kind: z.enum(["entry", "turn", "fact"]),
  text: z.string(),
  score: z.number(),
  timestamp: z.string().nullable(),
  persons: z.array(z.string()),
  speaker: z.string().nullable(),
  sessionId: z.string(),
  sourceIds: z.array(z.string()).describe("Ids of the turns that prove it"),
});

function hitData({ id, kind, text, score, timestamp, persons, speaker, sessionId, sourceIds }: Hit) {
  return { id, kind, text, score, timestamp, persons, speaker, sessionId, sourceIds };
}

const searchMemory = memoryTool({
  name: "search_memory",
  title: "Search memory",
  description:
    "Searches what was said in earlier conversations with this user and gives the best matches, each with its id and date. " +
    "Use it before answering anything that depends on the user, their people, plans, preferences or past. " +
    "Ask in whole words (“Where does Ilse live?”); narrow by persons, things or time when they are known.",
  input: z.strictObject({
    query: z.string().describe("A question or a statement to look for"),
    limit: z.int().min(1).max(MAX_HITS).optional().describe(`Matches at most. Default ${DEFAULT_HITS}`),
    persons: names.optional().describe("Only what is about one of these people"),
    entities: names.optional().describe("Only what is about one of these things"),
    after: time.optional(),
    before: time.optional(),
    includeArchived: z.boolean().optional().describe("Also what was superseded, carried out or put away"),
  }),
  output: z.object({ notice, hits: z.array(hit) }),
  hints: READS,
  run: async (memory, { query, limit, includeArchived, ...filter }, signal) => {
    const { hits } = await memory.search(query, {
      k: limit ?? DEFAULT_HITS,
      filter,
      signal,
      ...(includeArchived === undefined ? {} : { includeArchived }),
    });
    const text = fenced(hits.map(memoryLine), "Nothing was found.");
    return { text, data: { notice: NOTICE, hits: hits.map(hitData) } };
  },
});

const askMemory = memoryTool({
  name: "ask_memory",
  title: "Ask memory",
  description:
    "Answers a question from memory alone, with the ids of what proves the answer, or says that memory does not hold it. " +
    "Use it for one question with a definite answer; use search_memory to see what is known.",
  input: z.strictObject({
    question: z.string(),
    asOf: time.optional().describe("What was believed at this time. Default: now"),
  }),
  output: z.object({
    notice,
    answer: z.string(),
    abstained: z.boolean().describe("True: memory does not hold the answer"),
    reason: z.string().optional(),
    confidence: z.number(),
    citations: z.array(z.object({ id: z.string(), sourceIds: z.array(z.string()) })),
  }),
  hints: READS,
  run: async (memory, { question, asOf }, signal) => {
    const { answer, abstained, reason, confidence, citations } = await memory.ask(question, {
      signal,
      ...(asOf === undefined ? {} : { asOf }),
    });
    const text = abstained ? `Memory does not say. ${reason ?? ""}`.trim() : fenced([answer], "");
    const why = reason === undefined ? {} : { reason };
    return { text, data: { notice: NOTICE, answer, abstained, ...why, confidence, citations } };
  },
});

const timeline = memoryTool({
  name: "timeline",
  title: "Timeline",
  description:
    "Lists what is known about one person, thing or topic in the order in which it happened. Name at least one of the three. " +
    "Use it for questions about a course of events: what came first, what came of it.",
  input: z.strictObject({
    person: z.string().optional(),
    entity: z.string().optional().describe("A thing, a company, a place, an animal"),
    topic: z.string().optional(),
    after: time.optional(),
    before: time.optional(),
    order: z.enum(["oldest", "newest"]).optional().describe("Default: oldest first"),
    limit: z.int().min(1).max(100).optional().describe("Default 50"),
    cursor: z.string().optional().describe("The cursor of the page before"),
  }),
  output: z.object({
    notice,
    items: z.array(z.object({ id: z.string(), at: z.string(), text: z.string(), persons: z.array(z.string()) })),
    cursor: z.string().optional(),
  }),
  hints: READS,
  run: async (memory, { limit = 50, ...options }) => {
    const page = await memory.timeline({ limit, ...options });
    const items = page.items.map(({ at, entry }) => ({
      id: entry.entryId,
      at,
      text: entry.losslessRestatement,
      persons: entry.persons,
    }));
    const text = fenced(
      items.map((item) => memoryLine({ ...item, timestamp: item.at })),
      "Nothing is known of it.",
    );
    const more = page.cursor === undefined ? {} : { cursor: page.cursor };
    return { text, data: { notice: NOTICE, items, ...more } };
  },
});

const memoryStats = memoryTool({
  name: "memory_stats",
  title: "Memory statistics",
  description: "Counts what is remembered of this user: turns, entries by status, facts, and turns that still wait.",
  input: z.strictObject({}),
  output: z.object({
    turns: z.number(),
    entries: z.record(z.string(), z.number()),
    facts: z.number(),
    windows: z.object({ pending: z.number(), failed: z.number(), stored: z.number() }),
    pendingTurns: z.number(),
  }),
  hints: READS,
  // What the process has spent comes from all users, and is the operator's to know.
  run: async (memory) => {
    const { turns, entries, facts, windows, pendingTurns } = await memory.stats();
    const data = { turns, entries: { ...entries }, facts, windows: { ...windows }, pendingTurns };
    return { text: JSON.stringify(data), data };
  },
});

/** What reads memory and changes nothing. */
export const READ_TOOLS: readonly MemoryTool[] = [searchMemory, askMemory, timeline, memoryStats];
