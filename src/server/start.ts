import { z } from "zod/v4";
import type { SimpleMem } from "../index.js";
import { createApp } from "./app.js";
import { memoryOf, type ScopeToken, scopeTokenSchema } from "./holders.js";
import { listen } from "./listen.js";
import { type HttpOptions, httpFields, openedEngine, parseHttp } from "./options.js";

const DEFAULT_PORT = 8787;

/** Options of `startServer`. Unknown ones are refused. */
export interface ServerOptions extends HttpOptions {
  /** The opened engine. */
  readonly memory: SimpleMem;
  /** Who may call, and whose memory each token opens. One or more. */
  readonly tokens: readonly ScopeToken[];
  /** Opens /metrics, and no memory. Default: there is no /metrics. */
  readonly operatorToken?: string;
}

/** A server that runs. */
export interface RunningServer {
  /** Its address, such as "http://127.0.0.1:8787". */
  readonly url: string;
  /**
   * Takes no more requests, waits for those that run (`graceMs` at most), then closes the engine when `closeMemory` says so.
   * What was accepted is in the log whatever becomes of the server.
   */
  close(): Promise<void>;
}

const optionsSchema = z.strictObject({
  ...httpFields,
  memory: openedEngine,
  tokens: z.array(scopeTokenSchema).min(1),
  operatorToken: z.string().optional(),
});

/**
 * Serves memory over HTTP: the public calls as JSON endpoints, each token for its own scope.
 * @returns its address, and `close`, which lets running requests end
 * @throws InvalidInputError for an unknown or wrong option, ScopeError for a token without a usable user
 * @throws ListenError when the address cannot be listened on
 * @example
 * const server = await startServer({ memory: simplemem, tokens: [{ token: process.env.ILSE_TOKEN ?? "", userId: "ilse" }] });
 * console.log(server.url);
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const parsed = parseHttp(optionsSchema, options, "the options of startServer", DEFAULT_PORT);
  const { memory, tokens, operatorToken, clock = Date.now, rateLimit } = parsed;
  for (const token of tokens) memoryOf(memory, token);
  const operator = operatorToken === undefined ? [] : [{ token: operatorToken, isOperator: true as const }];
  const app = createApp(memory, { ...parsed, clock, rate: rateLimit, holders: [...tokens, ...operator] });
  const { url, close } = await listen(app, parsed);
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await close();
    if (parsed.closeMemory === true) await memory.close();
  };
  return {
    url,
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}
