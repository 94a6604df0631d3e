import { type Context, Hono } from "hono";
import type { SimpleMem } from "../index.js";
import { type Logger, SILENT_LOGGER } from "../records/index.js";
import { type Endpoint, sessionIn } from "./endpoint.js";
import { ENDPOINTS } from "./endpoints.js";
import { type GuardOptions, guard } from "./guards.js";
import { memoryOf, type ScopeToken } from "./holders.js";
import { readJson } from "./json-body.js";
import { RequestCounts, renderMetrics } from "./metrics.js";
import { openApiOf } from "./openapi.js";
import { refuse } from "./refusals.js";
import { eventFrames, streamOf } from "./streams.js";
import type { GuardedEnv, Holder } from "./tokens.js";

/** Who may call: somebody for whose memory a token stands, or the operator, who may read the metrics and no memory. */
export type Caller = ScopeToken | (Holder & { readonly isOperator: true });

type AppContext = Context<GuardedEnv<Caller>>;

const OPEN_PATHS: ReadonlySet<string> = new Set(["/health", "/openapi.json"]);
const METRICS = "/metrics";

function forbidden(context: AppContext, message: string): Response {
  return refuse(context, { status: 403, name: "ForbiddenTokenError", message });
}

async function serve(endpoint: Endpoint, simplemem: SimpleMem, context: AppContext, logger: Logger): Promise<Response> {
  const holder = context.get("holder");
  if (holder === undefined || "isOperator" in holder) {
    return forbidden(context, "the operator's token opens no memory; send the token of a user.");
  }
  const body = await readJson(context.req);
  const memory = memoryOf(simplemem, holder, endpoint.inSession ? sessionIn(body) : undefined);
  const call = { memory, signal: context.req.raw.signal };
  if (endpoint.lines !== undefined) {
    await endpoint.answer(call, body);
    return context.body(streamOf(endpoint.lines(call, body)), 200, {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": 'attachment; filename="memory.jsonl"',
    });
  }
  if (endpoint.events !== undefined && context.req.header("accept")?.includes("text/event-stream") === true) {
    return context.body(streamOf(eventFrames(endpoint.events(call, body), logger)), 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
    });
  }
  return Response.json(await endpoint.answer(call, body));
}

/** Everything that is served, behind its guards. */
export function createApp(
  simplemem: SimpleMem,
  options: Omit<GuardOptions<Caller>, "isOpen"> & { readonly clock: () => number },
): Hono<GuardedEnv<Caller>> {
  const { clock, logger = SILENT_LOGGER } = options;
  const app = new Hono<GuardedEnv<Caller>>();
  const requests = new RequestCounts(new Set([...ENDPOINTS.map(({ path }) => path), ...OPEN_PATHS, METRICS]));
  app.use(async (context, next) => {
    const started = clock();
    await next();
    requests.note(context.req.path, context.res.status, clock() - started);
  });
  guard(app, { ...options, isOpen: (path) => OPEN_PATHS.has(path) });
  app.get("/health", (context) => {
    // Refuses when the engine was closed.
    simplemem.scope({ userId: "health" });
    return context.json({ status: "ok" });
  });
  app.get("/openapi.json", (context) => context.json(openApiOf(ENDPOINTS)));
  app.get(METRICS, async (context) => {
    const holder = context.get("holder");
    if (holder === undefined || !("isOperator" in holder)) return forbidden(context, "metrics are the operator's.");
    const text = renderMetrics(await simplemem.stats(), requests);
    return context.body(text, 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
  });
  for (const endpoint of ENDPOINTS) {
    app.post(endpoint.path, (context) => serve(endpoint, simplemem, context, logger));
  }
  return app;
}
