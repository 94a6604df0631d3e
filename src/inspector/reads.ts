import { Hono } from "hono";
import type { SimpleMem } from "../index.js";
import { check } from "../memory/options.js";
import { relatedTo } from "./found-related.js";
import { logQuery, pageQuery, searchQuery } from "./requests.js";
import type { Whose } from "./whose.js";

/** Hits that a search shows: so many that those below the plan's cut, 3 to 20, are seen, too. */
const SHOWN_HITS = 30;
const SHOWN_RUNS = 5;

/** What the page reads. */
export function reads(memory: SimpleMem, { fixed, memoryOf }: Whose): Hono {
  const app = new Hono();

  app.get("/session", async (context) => {
    const users = fixed === null ? await memory.users.list() : [];
    return context.json({ fixed, users });
  });

  app.get("/agents", async (context) => {
    const { userId, tenantId } = memoryOf(context).scope;
    if (fixed !== null) return context.json({ agents: [] });
    return context.json({ agents: await memory.users.agents(userId, { tenantId }) });
  });

  app.get("/log", async (context) => {
    const { session, after, before, ...page } = check(logQuery, context.req.query(), "the turns to show");
    const filter = { sessionId: session, after, before };
    return context.json(await memoryOf(context).log({ ...page, filter }));
  });

  app.get("/stats", async (context) => context.json(await memoryOf(context).stats()));

  app.get("/search", async (context) => {
    const { q, k, history } = check(searchQuery, context.req.query(), "the search");
    const found = await memoryOf(context).search(q, { k: k ?? SHOWN_HITS, includeArchived: history === "true" });
    return context.json({ ...found, cut: k ?? found.plan.depth });
  });

  app.get("/entries/:id", async (context) => {
    const scoped = memoryOf(context);
    const id = context.req.param("id");
    const [explanation, versions] = await Promise.all([scoped.why(id), scoped.history(id)]);
    return context.json({ ...explanation, versions, related: await relatedTo(scoped, explanation.entry, versions) });
  });

  app.get("/review", async (context) => {
    const page = check(pageQuery, context.req.query(), "the queue");
    return context.json(await memoryOf(context).review.list(page));
  });

  app.get("/growth", async (context) => context.json(await memoryOf(context).growth()));

  app.get("/health", async (context) => {
    const scoped = memoryOf(context);
    const [health, stats, runs] = await Promise.all([
      scoped.health(),
      scoped.stats(),
      scoped.maintenance.reports({ limit: SHOWN_RUNS }),
    ]);
    return context.json({ health, stats, runs });
  });

  app.get("/facts", async (context) => context.json(await memoryOf(context).facts.list({ sessions: "all" })));

  return app;
}
