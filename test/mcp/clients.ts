import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { type McpHttpOptions, startMcpHttp } from "../../src/mcp/index.js";
import { ILSE, TOVE } from "../support/http.js";
import { programPath } from "../support/processes.js";

/** What a tool gave. */
export interface Called {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const result = await client.callTool({ name, arguments: args });
  const { content, structuredContent, isError } = JSON.parse(JSON.stringify(result));
  return { text: content[0].text, data: structuredContent ?? {}, isError: isError ?? false };
}

/** The SDK's client, with a process of its own over the folder. */
export async function stdioClient(folder: string, userId: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const args = [programPath("mcp-child"), folder, userId];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}

/** A server over a store in memory, for two users. */
export async function serveMcp(options: Partial<McpHttpOptions> = {}) {
  const simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const server = await startMcpHttp({
    memory: simplemem,
    tokens: [ILSE, TOVE],
    port: 0,
    graceMs: 300,
    rateLimit: false,
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
    await simplemem.close({ flush: false });
  });
  return { simplemem, url: server.url, close: () => server.close() };
}

export function httpTransport(url: string, token: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

/** The SDK's client over HTTP. */
export async function httpClient(url: string, token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(httpTransport(url, token));
  onTestFinished(() => client.close());
  return client;
}
