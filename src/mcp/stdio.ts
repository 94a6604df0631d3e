import type { Readable, Writable } from "node:stream";
import { z } from "zod/v4";
import type { ScopeOptions, SimpleMem } from "../index.js";
import { check } from "../memory/options.js";
import { openedEngine } from "../server/index.js";
import { stdioParts } from "./sdk.js";
import { createMcpServer } from "./server.js";

/** Options of `runMcpStdio`. Unknown ones are refused. */
export interface McpStdioOptions {
  /** The opened engine. It stays open when the client goes. */
  readonly memory: SimpleMem;
  /** Whose memory the client uses, for as long as it runs. */
  readonly scope: ScopeOptions;
  /** Where requests come from. Default: the standard input of the process. */
  readonly input?: Readable;
  /** Where answers go, and nothing else. Default: the standard output of the process. */
  readonly output?: Writable;
}

/** A client that is being served. */
export interface McpConnection {
  /** Resolves when the client has gone, or `close` was called. */
  readonly closed: Promise<void>;
  /** Lets the client go. */
  close(): Promise<void>;
}

function hasMethod(name: string) {
  return (value: unknown): boolean => typeof value === "object" && value !== null && name in value;
}

const optionsSchema = z.strictObject({
  memory: openedEngine,
  scope: z.looseObject({}),
  input: z.custom<Readable>(hasMethod("on"), "must be a stream").optional(),
  output: z.custom<Writable>(hasMethod("write"), "must be a stream").optional(),
});

/** The methods of `console` that write where the protocol is written. */
const LOUD = ["log", "info", "debug", "dir", "table"] as const;

/** What other parts of the process print goes to the error output, until the answer is called: the output is the protocol's. */
function divertPrints(): () => void {
  const former = LOUD.map((name) => [name, console[name]] as const);
  for (const name of LOUD) console[name] = console.error.bind(console);
  return () => {
    for (const [name, print] of former) console[name] = print;
  };
}

/**
 * Serves one memory to an MCP client over standard input and output, as a client starts it. Nothing but the protocol is
 * written to the output.
 * @returns the connection, once requests are taken
 * @throws InvalidInputError for an unknown or wrong option, ScopeError without a usable userId
 * @throws MissingPackageError when @modelcontextprotocol/sdk is not installed
 * @example
 * const { closed } = await runMcpStdio({ memory: simplemem, scope: { userId: "ilse" } });
 * await closed;
 * await simplemem.close();
 */
export async function runMcpStdio(options: McpStdioOptions): Promise<McpConnection> {
  check(optionsSchema, options, "the options of runMcpStdio");
  const { memory, scope, input = process.stdin, output = process.stdout } = options;
  const handle = memory.scope(scope);
  const { StdioServerTransport } = await stdioParts();
  const server = await createMcpServer(handle);
  const restorePrints = output === process.stdout ? divertPrints() : () => {};
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = () => {
      restorePrints();
      resolve();
    };
  });
  // The transport does not end with its input: a client that was killed would leave its server behind.
  const end = (): void => void server.close();
  input.once("end", end);
  input.once("close", end);
  await server.connect(new StdioServerTransport(input, output));
  return {
    closed,
    close: async () => {
      await server.close();
      await closed;
    },
  };
}
