import { z } from "zod/v4";
import { changesSchema, logSchema, timelineSchema, turnsSchema } from "../memory/options.js";
import type { Answer } from "../records/index.js";
import { askBody, idBody, listBody, searchBody, searchOptionsOf } from "./bodies.js";
import { type Endpoint, endpoint, type ServerEvent, sessionEndpoint } from "./endpoint.js";

/** The pieces of an answer as they come, then the answer with its proof. */
async function* answerEvents(pieces: AsyncGenerator<string, Answer>): AsyncGenerator<ServerEvent> {
  const end: { answer?: Answer } = {};
  async function* untilTheEnd(): AsyncGenerator<string> {
    end.answer = yield* pieces;
  }
  // Left early, since the client went away, the loop ends the pieces too, and with them the model.
  for await (const text of untilTheEnd()) yield { event: "piece", data: { text } };
  yield { event: "answer", data: end.answer };
}

const search = endpoint({
  path: "/v1/search",
  summary: "Finds what answers a question: entries, raw turns and facts, best first.",
  body: searchBody,
  run: (memory, { query, ...options }, signal) => memory.search(query, { ...searchOptionsOf(options), signal }),
});

const ask = endpoint({
  path: "/v1/ask",
  summary: "Answers a question from memory alone, with what proves it, or abstains; in pieces as server-sent events.",
  body: askBody,
  run: (memory, { question, ...options }, signal) => memory.ask(question, { ...searchOptionsOf(options), signal }),
  events: (memory, { question, ...options }, signal) =>
    answerEvents(memory.streamAsk(question, { ...searchOptionsOf(options), signal })),
});

const context = endpoint({
  path: "/v1/context",
  summary: "What is known about a query, as a fenced block for a prompt.",
  body: searchBody,
  run: async (memory, { query, ...options }, signal) => ({
    text: await memory.context(query, { ...searchOptionsOf(options), signal }),
  }),
});

const list = endpoint({
  path: "/v1/list",
  summary: "Entries in the order of creation, page by page.",
  body: listBody,
  run: (memory, body) => memory.list(body),
});

const get = endpoint({
  path: "/v1/get",
  summary: "One entry by its id, in any status; null when there is none.",
  body: idBody,
  run: async (memory, { id }) => ({ entry: await memory.get(id) }),
});

const turns = sessionEndpoint({
  path: "/v1/turns",
  summary: "The last turns of a session as they were said, oldest first.",
  body: turnsSchema,
  run: async (memory, body) => ({ items: await memory.turns(body) }),
});

const log = endpoint({
  path: "/v1/log",
  summary: "The turns of all sessions in the order in which they were said, with the facts each became.",
  body: logSchema,
  run: (memory, body) => memory.log(body),
});

const timeline = endpoint({
  path: "/v1/timeline",
  summary: "Entries about one person, thing or topic in the order of what happened.",
  body: timelineSchema,
  run: (memory, body) => memory.timeline(body),
});

const changes = endpoint({
  path: "/v1/changes",
  summary: "What has changed since a time.",
  body: changesSchema,
  run: (memory, body) => memory.changes(body),
});

const history = endpoint({
  path: "/v1/history",
  summary: "Every version of an entry, oldest first.",
  body: idBody,
  run: async (memory, { id }) => ({ items: await memory.history(id) }),
});

const why = endpoint({
  path: "/v1/why",
  summary: "Why an entry says what it says: its turns, who made it, what was done to it.",
  body: idBody,
  run: (memory, { id }) => memory.why(id),
});

const growth = endpoint({
  path: "/v1/growth",
  summary: "How the memory grew, day by day.",
  body: z.strictObject({}),
  run: (memory) => memory.growth(),
});

const health = endpoint({
  path: "/v1/health",
  summary: "What waits to be rewritten, and what failed and why.",
  body: z.strictObject({}),
  // The sizes of the tables are those of all users.
  run: async (memory) => {
    const { tables: _tables, ...own } = await memory.health();
    return own;
  },
});

const stats = endpoint({
  path: "/v1/stats",
  summary: "Counts of turns, entries, facts and windows.",
  body: z.strictObject({}),
  // What the process has spent, and how large its store is, is the operator's to know: it comes from all users.
  run: async (memory) => {
    const { turns: said, entries, facts, windows, pendingTurns } = await memory.stats();
    return { turns: said, entries, facts, windows, pendingTurns };
  },
});

/** What reads memory. */
export const READ_ENDPOINTS: readonly Endpoint[] = [
  search,
  ask,
  context,
  list,
  get,
  turns,
  log,
  timeline,
  changes,
  history,
  why,
  growth,
  health,
  stats,
];
