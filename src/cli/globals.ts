import type { Command } from "commander";
import type { ScopeOptions } from "../index.js";
import { isTimeZone } from "../records/index.js";
import { wrongUsage } from "./failure.js";
import type { Terminal } from "./terminal.js";

/** Where memory lies when nobody says. */
export const DEFAULT_URI = "./simplemem-data";

/** What every command takes, before or after its name. */
export interface Globals {
  readonly uri: string;
  readonly user?: string;
  readonly agent?: string;
  readonly tenant?: string;
  readonly session?: string;
  readonly json: boolean;
  readonly timeZone?: string;
  /** A module with further options of `SimpleMem.open`. */
  readonly config?: string;
  /** True: rules instead of a model, whatever the environment names. */
  readonly offline: boolean;
  readonly debug: boolean;
}

/** Gives the program the options that all commands share. */
export function addGlobals(program: Command): void {
  program
    .option("--uri <place>", `folder of the memory, or s3:// gs:// az:// (SIMPLEMEM_URI; default ${DEFAULT_URI})`)
    .option("--user <id>", "whose memory (SIMPLEMEM_USER)")
    .option("--agent <id>", "the agent whose memory it is; absent: what all agents of the user share")
    .option("--tenant <id>", "the tenant that the user belongs to")
    .option("--session <id>", 'the session of what is written and of facts (default "default")')
    .option("--time-zone <zone>", "IANA zone of times without an offset (SIMPLEMEM_TIME_ZONE; default UTC)")
    .option("--config <file>", "a module whose default export holds options of SimpleMem.open (SIMPLEMEM_CONFIG)")
    .option("--offline", "rules instead of a model, whatever the environment says")
    .option("--json", "one JSON document instead of lines for people")
    .option("--debug", "log to stderr, and show where a failure comes from");
}

type Flags = { readonly [name in keyof Globals]?: Globals[name] };

function named(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

function present<T extends object>(values: T): { [name in keyof T]?: Exclude<T[name], undefined> } {
  const kept: { [name in keyof T]?: Exclude<T[name], undefined> } = {};
  for (const name in values) {
    const value = values[name];
    if (isGiven(value)) kept[name] = value;
  }
  return kept;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

/** What the command line says, and where it is silent the environment. */
export function globalsOf(command: Command, env: Terminal["env"]): Globals {
  const flags = command.optsWithGlobals<Flags>();
  const timeZone = flags.timeZone ?? named(env.SIMPLEMEM_TIME_ZONE);
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw wrongUsage(`${timeZone} is no time zone; name one such as Europe/Vienna.`);
  }
  return {
    uri: flags.uri ?? named(env.SIMPLEMEM_URI) ?? DEFAULT_URI,
    json: flags.json ?? false,
    offline: flags.offline ?? false,
    debug: flags.debug ?? false,
    ...present({
      user: flags.user ?? named(env.SIMPLEMEM_USER),
      agent: flags.agent,
      tenant: flags.tenant,
      session: flags.session,
      timeZone,
      config: flags.config ?? named(env.SIMPLEMEM_CONFIG),
    }),
  };
}

/** The scope that the flags name. @throws Failure when nobody says whose memory is meant */
export function scopeOf(globals: Globals): ScopeOptions {
  const { agent, tenant, session } = globals;
  return {
    userId: userOf(globals),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    ...(session === undefined ? {} : { sessionId: session }),
  };
}

/** Whose memory is meant. @throws Failure when nobody says: there is no default user */
export function userOf({ user }: Globals): string {
  if (user !== undefined) return user;
  throw wrongUsage(
    "say whose memory is meant, with --user NAME or SIMPLEMEM_USER; `simplemem users` lists who has one.",
  );
}
