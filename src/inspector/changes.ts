import { type Context, Hono } from "hono";
import { check } from "../memory/options.js";
import { parseJson } from "../server/index.js";
import { flushBody, forgetBody, maintainBody, pinBody, restoreBody, reviewBody, updateBody } from "./requests.js";
import type { Whose } from "./whose.js";

/** @throws InvalidInputError for a body that is no JSON */
async function bodyOf(context: Context): Promise<unknown> {
  return parseJson(await context.req.text());
}

/** What the page changes. */
export function changes({ memoryOf }: Whose): Hono {
  const app = new Hono();

  app.post("/entries/:id/update", async (context) => {
    const { patch, ...options } = check(updateBody, await bodyOf(context), "the correction");
    return context.json(await memoryOf(context).update(context.req.param("id"), patch, options));
  });

  app.post("/entries/:id/pin", async (context) => {
    const { pinned } = check(pinBody, await bodyOf(context), "the pin");
    const scoped = memoryOf(context);
    const id = context.req.param("id");
    return context.json(await (pinned ? scoped.pin(id) : scoped.unpin(id)));
  });

  app.post("/entries/:id/restore", async (context) => {
    const { version, ...options } = check(restoreBody, await bodyOf(context), "the version");
    return context.json(await memoryOf(context).restore(context.req.param("id"), version, options));
  });

  app.post("/forget", async (context) => {
    const request = check(forgetBody, await bodyOf(context), "what to forget");
    return context.json(await memoryOf(context).forget(request));
  });

  app.post("/review/:id", async (context) => {
    const decided = check(reviewBody, await bodyOf(context), "the decision");
    const { review } = memoryOf(context);
    const id = context.req.param("id");
    const because = { reason: decided.reason };
    if (decided.decision === "approve") return context.json(await review.approve(id, because));
    if (decided.decision === "reject") return context.json(await review.reject(id, because));
    return context.json(await review.edit(id, decided.patch, because));
  });

  app.post("/flush", async (context) => {
    const request = check(flushBody, await bodyOf(context), "the flush");
    return context.json(await memoryOf(context).flush(request));
  });

  app.post("/maintain", async (context) => {
    check(maintainBody, await bodyOf(context), "the maintenance");
    return context.json(await memoryOf(context).maintain());
  });

  return app;
}
