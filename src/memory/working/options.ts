import { z } from "zod/v4";
import type { WorkOptions } from "../../records/index.js";
import { check, isFunction, signalSchema } from "../options.js";

const workSchema = z.strictObject({
  signal: signalSchema.optional(),
  once: z.boolean().optional(),
  concurrency: z.int().min(1).max(64).optional(),
  windowsAtOnce: z.int().min(1).max(1000).optional(),
  pollMs: z.int().min(1).optional(),
  idleMs: z.int().min(0).optional(),
  retryMs: z.int().min(0).optional(),
  graceMs: z.int().min(0).optional(),
  onReport: z.custom<NonNullable<WorkOptions["onReport"]>>(isFunction, "must be a function").optional(),
});

/** What falls silent is taken after this time where the engine has no idle timer of its own. */
const IDLE_MS = 30_000;

/**
 * The options with every default filled in.
 * @param engineIdleMs after how long a silence the engine processes what is pending; 0: never
 * @throws InvalidInputError naming the first field that does not fit
 */
export function parseWork(options: WorkOptions, engineIdleMs: number) {
  const { once = false, ...given } = check(workSchema, options, "the options of work");
  return {
    concurrency: 4,
    windowsAtOnce: 8,
    pollMs: 1000,
    idleMs: once ? 0 : engineIdleMs === 0 ? IDLE_MS : engineIdleMs,
    retryMs: 10_000,
    graceMs: 20_000,
    onReport: () => {},
    ...given,
    once,
  };
}

export type ParsedWork = ReturnType<typeof parseWork>;
