import { readdirSync } from "node:fs";
import type { SimpleMem, SimpleMemOptions } from "../index.js";
import { configuredOptions } from "./config-file.js";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { Globals } from "./globals.js";
import { modelsFromEnvironment } from "./model.js";
import { harmless } from "./output/harmless.js";
import type { Terminal } from "./terminal.js";

/** How a command uses the store. */
export interface Use {
  /** True: a folder that holds no memory yet gets one. Default false: that is an error, so that a mistyped place is noticed. */
  readonly mayCreate?: boolean;
  /** True: the process lives on, and what falls silent is processed by itself. Default false. */
  readonly staysOpen?: boolean;
  /** True: opening mends nothing either, such as a forget that was broken off. Default false. */
  readonly readOnly?: boolean;
  /** Milliseconds for which it may go on when the person wants no more. Default 3,000. */
  readonly graceMs?: number;
}

/** An address such as s3://bucket, which only LanceDB can look at. */
const ADDRESS = /^\w+:\/\//;

function holdsMemory(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith(".lance"));
  } catch {
    return false;
  }
}

/** @throws Failure when nothing was ever stored there */
function ensureThere(uri: string): void {
  if (ADDRESS.test(uri) || holdsMemory(uri)) return;
  throw new Failure(
    `there is no memory at ${uri}; \`simplemem add\` and \`simplemem demo\` make one, --uri names another place.`,
    EXIT.store,
  );
}

function debugLogger({ errors }: Terminal): NonNullable<SimpleMemOptions["logger"]> {
  const log = (level: string) => (message: string, fields?: object) => {
    const more = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
    void errors.write(`${harmless(`${level}: ${message}${more}`)}\n`);
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

/**
 * Opens the memory that the flags and the environment name. The library is loaded here, and not before: it takes longer than
 * all else that a command does until then.
 * @throws Failure when there is none, or a package is missing; what `SimpleMem.open` throws
 */
export async function openEngine(globals: Globals, terminal: Terminal, use: Use = {}): Promise<SimpleMem> {
  if (use.mayCreate !== true) ensureThere(globals.uri);
  const configured = await configuredOptions(globals.config);
  const models = globals.offline ? {} : await modelsFromEnvironment(terminal.env);
  const { SimpleMem } = await import("../index.js");
  return SimpleMem.open({
    ...models,
    ...(globals.timeZone === undefined ? {} : { timeZone: globals.timeZone }),
    ...(globals.debug ? { logger: debugLogger(terminal) } : {}),
    ...configured,
    uri: globals.uri,
    ...(use.readOnly === true ? { readOnly: true } : {}),
    ...(use.staysOpen === true ? {} : { window: { ...configured.window, background: false } }),
  });
}
