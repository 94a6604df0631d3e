import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { runMcpStdio, startMcpHttp } from "../../src/mcp/index.js";
import { ILSE, post, TOVE } from "../support/http.js";
import { callTool, httpClient, httpTransport, serveMcp } from "./clients.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };
const ACCEPT = { accept: "application/json, text/event-stream" };

async function opened(url: string, token: string): Promise<string> {
  const response = await post(url, token, INITIALIZE, ACCEPT);
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

describe("MCP over HTTP", () => {
  it("a session answers the token that opened it, and is unknown to any other", async () => {
    const { url } = await serveMcp();
    const session = await opened(url, ILSE.token);
    const ask = async (token: string, id: string) =>
      (await post(url, token, LIST, { ...ACCEPT, "mcp-session-id": id })).status;
    expect(await ask(ILSE.token, session)).toBe(200);
    expect(await ask(TOVE.token, session)).toBe(404);
    expect(await ask(ILSE.token, "00000000-0000-0000-0000-000000000000")).toBe(404);
    const ended = await fetch(url, {
      method: "DELETE",
      headers: { authorization: `Bearer ${TOVE.token}`, "mcp-session-id": session },
    });
    expect(ended.status).toBe(404);
    expect(await ask(ILSE.token, session)).toBe(200);
  });

  it.each(["GET", "POST", "DELETE"])("a %s without a known token is refused", async (method) => {
    const { url } = await serveMcp();
    const session = await opened(url, ILSE.token);
    const body = method === "POST" ? { body: JSON.stringify(LIST) } : {};
    for (const authorization of ["", "Bearer token-of-nobody-012345678"]) {
      const headers = { ...ACCEPT, authorization, "content-type": "application/json", "mcp-session-id": session };
      expect((await fetch(url, { method, headers, ...body })).status).toBe(401);
    }
  });

  it("the SDK's client is told when its token is wrong", async () => {
    const { url } = await serveMcp();
    const client = new Client({ name: "test", version: "1" });
    await expect(client.connect(httpTransport(url, "token-of-nobody-012345678"))).rejects.toThrow();
  });

  it("pages of other origins, too large bodies, too many requests and what is no JSON are refused", async () => {
    const { url } = await serveMcp({ maxBodyBytes: 2048, rateLimit: { requests: 5, perMs: 60_000 }, clock: () => 0 });
    const status = async (body: unknown, headers = {}) =>
      (await post(url, ILSE.token, body, { ...ACCEPT, ...headers })).status;
    expect(await status(INITIALIZE, { origin: "https://evil.example" })).toBe(403);
    expect(await status({ ...INITIALIZE, params: "x".repeat(3000) })).toBe(413);
    expect(await status("{")).toBe(400);
    expect(await status(LIST)).toBe(400);
    expect(await status(`${"[".repeat(200)}${"]".repeat(200)}`)).toBe(400);
    expect(await status(INITIALIZE)).toBe(200);
    expect(await status(INITIALIZE)).toBe(429);
  });

  it("of the sessions of a token the one that was used longest ago ends for a new one, and no other token's", async () => {
    const { url } = await serveMcp();
    const others = await opened(url, TOVE.token);
    const first = await opened(url, ILSE.token);
    for (let count = 0; count < 100; count++) await opened(url, ILSE.token);
    const ask = async (token: string, id: string) =>
      (await post(url, token, LIST, { ...ACCEPT, "mcp-session-id": id })).status;
    expect(await ask(ILSE.token, first)).toBe(404);
    expect(await ask(TOVE.token, others)).toBe(200);
  });

  it("closing ends waiting clients at once, and closes the engine when that is asked for", async () => {
    const { url, simplemem, close } = await serveMcp({ closeMemory: true, graceMs: 60_000 });
    const client = await httpClient(url, ILSE.token);
    await callTool(client, "remember_fact", { key: "home", value: "Graz" });
    await close();
    expect(() => simplemem.scope({ userId: "ilse" })).toThrow(/closed/);
    await expect(callTool(client, "memory_stats")).rejects.toThrow();
  });

  it("wrong options are refused before anything listens", async () => {
    await using simplemem = await SimpleMem.open({ uri: "memory://" });
    const start = (options: object) => startMcpHttp({ memory: simplemem, tokens: [ILSE], port: 0, ...options });
    await expect(start({ tokens: [] })).rejects.toMatchObject({ name: "InvalidInputError" });
    await expect(start({ tokens: [{ ...ILSE, userId: " " }] })).rejects.toMatchObject({ name: "ScopeError" });
    await expect(start({ loud: true })).rejects.toMatchObject({ name: "InvalidInputError" });
    await expect(runMcpStdio({ memory: simplemem, scope: { userId: "" } })).rejects.toMatchObject({
      name: "ScopeError",
    });
  });
});
