import { z } from "zod/v4";
import { factKeySchema, factValueSchema, recallSchema, rememberSchema } from "../memory/options.js";
import { type Endpoint, sessionEndpoint } from "./endpoint.js";

const remember = sessionEndpoint({
  path: "/v1/facts/remember",
  summary: "Keeps a value under a key of the session; a former value goes into its history.",
  body: rememberSchema.extend({ key: factKeySchema, value: factValueSchema }),
  run: (memory, { key, value, ...options }) => memory.facts.remember(key, value, options),
});

const recall = sessionEndpoint({
  path: "/v1/facts/recall",
  summary: "Facts whose key matches: exact text, or with * for any characters. Without a pattern: all.",
  body: recallSchema.extend({ pattern: z.string().optional() }),
  run: async (memory, { pattern, ...options }) => ({ items: await memory.facts.recall(pattern, options) }),
});

const forget = sessionEndpoint({
  path: "/v1/facts/forget",
  summary: "Removes the fact of the session that is kept under exactly this key.",
  body: z.strictObject({ key: factKeySchema }),
  run: async (memory, { key }) => ({ removed: await memory.facts.forget(key) }),
});

/** Exact key-values. */
export const FACT_ENDPOINTS: readonly Endpoint[] = [remember, recall, forget];
