import { z } from "zod/v4";
import type { SimpleMem } from "../index.js";
import { check } from "../memory/options.js";
import type { Logger } from "../records/index.js";
import { DEFAULT_MAX_BODY } from "./body-limit.js";
import { DEFAULT_RATE, type RateLimit } from "./rate-limit.js";

/** How a server is reached, and what it lets pass. */
export interface HttpOptions {
  /** A name or an address of this machine. Default "127.0.0.1": no other machine reaches it. */
  readonly host?: string;
  /** 0 to 65,535; 0 takes any that is free. */
  readonly port?: number;
  /** Further names by which it is called, as behind a proxy: "memory.example". */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may call it: "https://app.example". Default: none but its own. */
  readonly allowedOrigins?: readonly string[];
  /** Bytes of a body, 1,024 or more. Default 1,048,576. */
  readonly maxBodyBytes?: number;
  /** Requests of one token, or of one address without one. Default 600 in 60,000 ms; false: no limit. */
  readonly rateLimit?: RateLimit | false;
  /** Milliseconds within which a request must have arrived whole. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that `close` waits for running requests. Default 10,000. */
  readonly graceMs?: number;
  /** Told of requests that failed for a reason that clients are not told. Default: silent. */
  readonly logger?: Logger;
  /** Milliseconds since the epoch, for the rate limit. Default: the system's clock. */
  readonly clock?: () => number;
  /** True: `close` closes the engine, too. Default false. */
  readonly closeMemory?: boolean;
}

const isFunction = (value: unknown): boolean => typeof value === "function";

function isLogger(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && isFunction(value.error);
}

/** What `SimpleMem.open` gave. */
export const openedEngine = z.custom<SimpleMem>(
  (value) => typeof value === "object" && value !== null && "scope" in value,
  "must be an opened SimpleMem",
);

export const httpFields = {
  host: z
    .string()
    .refine((value) => value.trim() !== "", "must not be blank")
    .optional(),
  port: z.int().min(0).max(65_535).optional(),
  allowedHosts: z.array(z.string()).optional(),
  allowedOrigins: z.array(z.string()).optional(),
  maxBodyBytes: z.int().min(1024).optional(),
  rateLimit: z
    .union([z.literal(false), z.strictObject({ requests: z.int().min(1), perMs: z.int().min(1) })])
    .optional(),
  requestTimeoutMs: z.int().min(100).optional(),
  graceMs: z.int().min(0).optional(),
  logger: z.custom<Logger>(isLogger, "needs debug, info, warn, error").optional(),
  clock: z.custom<() => number>(isFunction, "must be a function").optional(),
  closeMemory: z.boolean().optional(),
};

/** The options of an HTTP server with their defaults. @throws InvalidInputError for an unknown or wrong one */
export function parseHttp<T extends HttpOptions>(schema: z.ZodType, options: T, what: string, port: number) {
  check(schema, options, what);
  return {
    host: "127.0.0.1",
    port,
    maxBodyBytes: DEFAULT_MAX_BODY,
    rateLimit: DEFAULT_RATE,
    ...options,
  };
}
