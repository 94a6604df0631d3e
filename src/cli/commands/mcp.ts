import type { Command } from "commander";
import { type Cli, performOnStore, type StoreCall } from "../call.js";
import { scopeOf } from "../globals.js";
import { aborted, serveUntilAborted } from "../serving.js";
import { scopeTokens } from "../tokens.js";
import { addHttpFlags, type HttpFlags, httpOptions } from "./serve.js";

interface McpFlags extends HttpFlags {
  readonly http?: boolean;
}

/** The output is the protocol's: nothing else is printed there. It ends when the client goes. */
async function overStdio({ simplemem, globals, terminal }: StoreCall): Promise<undefined> {
  const { runMcpStdio } = await import("../../mcp/index.js");
  const client = await runMcpStdio({ memory: simplemem, scope: scopeOf(globals) });
  await Promise.race([client.closed, aborted(terminal.signal)]);
  await client.close();
  return undefined;
}

async function overHttp(call: StoreCall, flags: McpFlags): Promise<undefined> {
  const tokens = await scopeTokens(call, flags.tokens);
  const { startMcpHttp } = await import("../../mcp/index.js");
  const server = await startMcpHttp({ memory: call.simplemem, tokens, ...httpOptions(flags) });
  return serveUntilAborted(call, "Serving MCP", server);
}

/** `simplemem mcp` */
export function addMcp(program: Command, cli: Cli): void {
  const command = program
    .command("mcp")
    .summary("serve memory to a client of the Model Context Protocol")
    .description(
      "Serves the memory of --user to a client of the Model Context Protocol: over standard input and output, as a client starts it, or " +
        "with --http to those that show a token. It needs the package @modelcontextprotocol/sdk.",
    )
    .option("--http", "over HTTP; the options below are for this");
  addHttpFlags(command).action(async (flags: McpFlags, self: Command) => {
    await performOnStore(cli, self, { mayCreate: true, staysOpen: true }, (call) =>
      flags.http === true ? overHttp(call, flags) : overStdio(call),
    );
  });
}
