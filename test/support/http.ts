import { onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { type ServerOptions, startServer } from "../../src/server/index.js";

export const ILSE = { token: "token-of-ilse-0123456789", userId: "ilse" } as const;
export const TOVE = { token: "token-of-tove-0123456789", userId: "tove" } as const;
export const OPERATOR = "token-of-the-operator-0123";

/** A server over a store in memory, for two users and an operator. */
export async function serveMemory(
  options: Partial<ServerOptions> = {},
  memory: Partial<SimpleMemOptions> = {},
): Promise<{ readonly url: string; readonly simplemem: SimpleMem; close(): Promise<void> }> {
  const simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 }, ...memory });
  const tokens = [ILSE, TOVE];
  const server = await startServer({
    memory: simplemem,
    tokens,
    operatorToken: OPERATOR,
    port: 0,
    graceMs: 500,
    rateLimit: false,
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
    await simplemem.close({ flush: false });
  });
  return { url: server.url, simplemem, close: () => server.close() };
}

/** Sends a body to an endpoint, as JSON unless the headers say otherwise. */
export function post(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The JSON of an answer. */
export async function jsonOf(response: Response | Promise<Response>) {
  return JSON.parse(await (await response).text());
}

/** Server-sent events of an answer, in their order. */
export async function eventsOf(response: Response): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const blocks = (await response.text()).split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) };
  });
}
