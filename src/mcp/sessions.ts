import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";

/** Sessions of one token at once; the one that was used longest ago ends for a new one. */
const MAX_SESSIONS = 100;

/** One client of a token. */
export interface McpSession {
  readonly token: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** The sessions that clients opened, each for the token that opened it alone. */
export class McpSessions {
  /** In the order of the last use. */
  readonly #sessions = new Map<string, McpSession>();

  /** The session of this id, if this token opened it: to any other it is unknown. */
  find(id: string, token: string): McpSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.token !== token) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  async open(id: string, session: McpSession): Promise<void> {
    const [oldest, ...others] = [...this.#sessions].filter(([, { token }]) => token === session.token);
    this.#sessions.set(id, session);
    if (oldest !== undefined && others.length + 1 >= MAX_SESSIONS) await this.end(oldest[0]);
  }

  async end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }

  /** Ends the streams that wait for what the server may say by itself; running calls go on. */
  endStreams(): void {
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream();
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.end(id)));
  }
}
