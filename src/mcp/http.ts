import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { z } from "zod/v4";
import type { SimpleMem } from "../index.js";
import {
  type GuardedEnv,
  guard,
  type HttpOptions,
  httpFields,
  listen,
  memoryOf,
  openedEngine,
  parseHttp,
  type RunningServer,
  readJson,
  refuse,
  type ScopeToken,
  scopeTokenSchema,
} from "../server/index.js";
import { httpParts } from "./sdk.js";
import { createMcpServer } from "./server.js";
import { type McpSession, McpSessions } from "./sessions.js";

const DEFAULT_PORT = 8788;
const PATH = "/mcp";
const SESSION_HEADER = "mcp-session-id";

/** Options of `startMcpHttp`. Unknown ones are refused. */
export interface McpHttpOptions extends HttpOptions {
  /** The opened engine. */
  readonly memory: SimpleMem;
  /** Who may connect, and whose memory each token opens. One or more. */
  readonly tokens: readonly ScopeToken[];
}

const optionsSchema = z.strictObject({
  ...httpFields,
  memory: openedEngine,
  tokens: z.array(scopeTokenSchema).min(1),
});

type AppContext = Context<GuardedEnv<ScopeToken>>;

/** A session for a client that has none yet, over the memory of its token. */
async function newSession(simplemem: SimpleMem, holder: ScopeToken, sessions: McpSessions): Promise<McpSession> {
  const { WebStandardStreamableHTTPServerTransport } = await httpParts();
  const server = await createMcpServer(memoryOf(simplemem, holder));
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id): Promise<void> => sessions.open(id, session),
    onsessionclosed: (id) => sessions.end(id),
  });
  const session: McpSession = { token: holder.token, server, transport };
  await server.connect(transport);
  return session;
}

async function serve(simplemem: SimpleMem, sessions: McpSessions, context: AppContext): Promise<Response> {
  const holder = context.get("holder");
  if (holder === undefined) return refuse(context, { status: 401, name: "UnauthorizedError", message: "no token." });
  const id = context.req.header(SESSION_HEADER);
  const known = id === undefined ? undefined : sessions.find(id, holder.token);
  if (id !== undefined && known === undefined) {
    return refuse(context, { status: 404, name: "UnknownSessionError", message: "no such session; open a new one." });
  }
  const parsed = context.req.method === "POST" ? { parsedBody: await readJson(context.req) } : {};
  const session = known ?? (await newSession(simplemem, holder, sessions));
  const response = await session.transport.handleRequest(context.req.raw, parsed);
  // What did not open a session is not kept: the transport has said why.
  if (session.transport.sessionId === undefined) await session.server.close();
  return response;
}

/**
 * Serves memory to MCP clients over streamable HTTP, at /mcp. Whose memory a client uses follows from its token; a session
 * belongs to the token that opened it.
 * @returns its address, and `close`, which ends the sessions
 * @throws InvalidInputError for an unknown or wrong option, ScopeError for a token without a usable user
 * @throws MissingPackageError when @modelcontextprotocol/sdk is not installed, ListenError when the address cannot be listened on
 * @example
 * const server = await startMcpHttp({ memory: simplemem, tokens: [{ token: process.env.ILSE_TOKEN ?? "", userId: "ilse" }] });
 * console.log(server.url);
 */
export async function startMcpHttp(options: McpHttpOptions): Promise<RunningServer> {
  const parsed = parseHttp(optionsSchema, options, "the options of startMcpHttp", DEFAULT_PORT);
  const { memory, tokens, rateLimit } = parsed;
  for (const token of tokens) memoryOf(memory, token);
  await httpParts();
  const sessions = new McpSessions();
  const app = new Hono<GuardedEnv<ScopeToken>>();
  guard(app, { ...parsed, rate: rateLimit, holders: tokens });
  app.on(["GET", "POST", "DELETE"], PATH, (context) => serve(memory, sessions, context));
  const { url, close } = await listen(app, { ...parsed, onClosing: () => sessions.endStreams() });
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await close();
    await sessions.endAll();
    if (parsed.closeMemory === true) await memory.close();
  };
  return {
    url: `${url}${PATH}`,
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}
