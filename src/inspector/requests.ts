import { z } from "zod/v4";
import { ENTRY_KINDS } from "../index.js";

const limit = z.coerce.number().int().min(1).max(200);
const cursor = z.string().min(1);

/** Whose memory is looked into, where the operator left that open. */
export const whoseQuery = z.object({
  user: z.string().min(1),
  agent: z.string().min(1).optional(),
  tenant: z.string().min(1).optional(),
});

export const logQuery = z.object({
  order: z.enum(["oldest", "newest"]).optional(),
  session: z.string().optional(),
  after: z.string().optional(),
  before: z.string().optional(),
  limit: limit.optional(),
  cursor: cursor.optional(),
});

export const searchQuery = z.object({
  q: z.string(),
  k: z.coerce.number().int().min(1).max(100).optional(),
  history: z.enum(["true", "false"]).optional(),
});

export const pageQuery = z.object({ limit: limit.optional(), cursor: cursor.optional() });

const names = z.array(z.string());
const reason = z.string().optional();

const patch = z.strictObject({
  text: z.string().optional(),
  timestamp: z.string().nullable().optional(),
  timestampEnd: z.string().nullable().optional(),
  location: z.string().nullable().optional(),
  topic: z.string().nullable().optional(),
  persons: names.optional(),
  entities: names.optional(),
  keywords: names.optional(),
  kind: z.enum(ENTRY_KINDS).optional(),
});

export const updateBody = z.strictObject({ patch, reason, ifVersion: z.int().min(1).optional() });
export const pinBody = z.strictObject({ pinned: z.boolean() });
export const restoreBody = z.strictObject({ version: z.int().min(1), force: z.boolean().optional(), reason });
/** No other way to forget reaches the page: what goes is named by its id. */
export const forgetBody = z.strictObject({
  ids: z.array(z.string().min(1)).min(1).max(100),
  purge: z.boolean().optional(),
  dryRun: z.boolean().optional(),
});
export const reviewBody = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("approve"), reason }),
  z.strictObject({ decision: z.literal("reject"), reason }),
  z.strictObject({ decision: z.literal("edit"), patch, reason }),
]);
export const flushBody = z.strictObject({ retryFailed: z.boolean().optional() });
export const maintainBody = z.strictObject({});
