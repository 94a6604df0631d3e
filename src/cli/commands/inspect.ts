import type { Command } from "commander";
import { type Cli, performOnStore, type StoreCall } from "../call.js";
import { wholeNumber } from "../flags.js";
import { scopeOf } from "../globals.js";
import { serveUntilAborted } from "../serving.js";
import { DEMO_USER, fillDemo } from "./demo.js";

interface InspectFlags {
  readonly host?: string;
  readonly port?: number;
  readonly demo?: boolean;
}

/** The scope that the flags name; without a user the page chooses among those of the store. */
function scopeFlags({ globals }: StoreCall, { demo }: InspectFlags) {
  const user = globals.user ?? (demo === true ? DEMO_USER : undefined);
  return user === undefined ? {} : { scope: scopeOf({ ...globals, user }) };
}

async function inspect(call: StoreCall, flags: InspectFlags): Promise<undefined> {
  if (flags.demo === true) await fillDemo(call);
  const { startInspector } = await import("../../inspector/index.js");
  const { host, port } = flags;
  const page = await startInspector({
    memory: call.simplemem,
    ...scopeFlags(call, flags),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  });
  return serveUntilAborted(call, "Open this page", page);
}

/** `simplemem inspect` */
export function addInspect(program: Command, cli: Cli): void {
  program
    .command("inspect")
    .summary("a page to look into memory and mend it")
    .description(
      "Serves a page on this machine to look into memory and mend it. Whoever has the address, which holds a token, can do so. " +
        "Without --user the page chooses among the users of the store.",
    )
    .option("--host <name>", "where it listens (default 127.0.0.1: this machine alone)")
    .option("--port <n>", "port (default any that is free)", wholeNumber(0, 65_535))
    .option(
      "--demo",
      `fills the memory of the user "${DEMO_USER}" with the demo conversation first, and shows that one`,
    )
    .action(async (flags: InspectFlags, self: Command) => {
      await performOnStore(cli, self, { mayCreate: flags.demo === true, staysOpen: true }, (call) =>
        inspect(call, flags),
      );
    });
}
