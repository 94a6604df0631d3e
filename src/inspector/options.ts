import { z } from "zod/v4";
import { InvalidInputError, type Logger, type ScopeOptions, type SimpleMem } from "../index.js";
import { check } from "../memory/options.js";

/** Options of `startInspector`. */
export interface InspectorOptions {
  /** The open engine. The inspector does not close it. */
  readonly memory: SimpleMem;
  /** Whose memory is looked into. Default: the page chooses among the users of the store. */
  readonly scope?: ScopeOptions;
  /** Where it listens. Default "127.0.0.1": this machine alone. */
  readonly host?: string;
  /** 0 (default): any that is free. */
  readonly port?: number;
  /** What the page must show to read or change anything, 16 characters or more. Default: 32 random bytes. */
  readonly token?: string;
  /** Told of requests that failed for a reason of the server's own; never of a text. Default: silent. */
  readonly logger?: Logger;
}

function hasMethods(...names: readonly string[]) {
  return (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === "function");
}

const optionsSchema = z.strictObject({
  memory: z.custom<SimpleMem>(hasMethods("scope", "close"), "must be what SimpleMem.open gave"),
  scope: z.custom<ScopeOptions>((value) => typeof value === "object" && value !== null, "must name a user").optional(),
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  token: z.string().optional(),
  logger: z.custom<Logger>(hasMethods("debug", "info", "warn", "error"), "needs debug, info, warn, error").optional(),
});

/** @throws InvalidInputError for an unknown or wrong option */
export function checkOptions(options: InspectorOptions): void {
  if (options === null || typeof options !== "object") throw new InvalidInputError("startInspector needs options.");
  check(optionsSchema, options, "the options of startInspector");
}
