import type { Command } from "commander";
import { type Cli, performOnStore, type StoreCall } from "../call.js";
import { oneMore, wholeNumber } from "../flags.js";
import { serveUntilAborted } from "../serving.js";
import { scopeTokens } from "../tokens.js";

/** Flags of a server over HTTP. */
export interface HttpFlags {
  readonly host?: string;
  readonly port?: number;
  readonly tokens?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
}

/** Gives a command the options of a server over HTTP. */
export function addHttpFlags(command: Command): Command {
  return command
    .option("--host <name>", "where it listens (default 127.0.0.1: this machine alone)")
    .option("--port <n>", "port; 0: any that is free", wholeNumber(0, 65_535))
    .option(
      "--tokens <file>",
      'JSON: [{"token": "…", "userId": "ilse"}, …]; absent: SIMPLEMEM_TOKEN opens the memory of --user',
    )
    .option("--allow-host <name>", "a further name by which it is called, as behind a proxy; may be repeated", oneMore)
    .option("--allow-origin <origin>", "an origin of web pages that may call it; may be repeated", oneMore);
}

/** What the flags say of how a server is reached. */
export function httpOptions({ host, port, allowHost, allowOrigin }: HttpFlags) {
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(allowHost === undefined ? {} : { allowedHosts: allowHost }),
    ...(allowOrigin === undefined ? {} : { allowedOrigins: allowOrigin }),
  };
}

async function serve(call: StoreCall, flags: HttpFlags): Promise<undefined> {
  const tokens = await scopeTokens(call, flags.tokens);
  const { startServer } = await import("../../server/index.js");
  const operatorToken = call.terminal.env.SIMPLEMEM_OPERATOR_TOKEN;
  const server = await startServer({
    memory: call.simplemem,
    tokens,
    ...(operatorToken ? { operatorToken } : {}),
    ...httpOptions(flags),
  });
  return serveUntilAborted(call, "Serving", server);
}

/** `simplemem serve` */
export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command("serve")
    .summary("serve memory over HTTP")
    .description(
      "Serves the public calls as JSON over HTTP, each token for the memory of its own user. SIMPLEMEM_TOKEN is the token of --user; " +
        "without one, and without --tokens, one is made and told. SIMPLEMEM_OPERATOR_TOKEN opens /metrics.",
    );
  addHttpFlags(command).action(async (flags: HttpFlags, self: Command) => {
    await performOnStore(cli, self, { mayCreate: true, staysOpen: true }, (call) => serve(call, flags));
  });
}
