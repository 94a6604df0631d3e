import { z } from "zod/v4";
import { listSchema, searchSchema } from "../memory/options.js";
import type { AddInput } from "../records/index.js";

/** Entries of one page at most: a memory of years does not fit into one answer. */
export const MAX_PAGE = 1000;
export const DEFAULT_PAGE = 100;

export const nonBlank = z.string().refine((value) => value.trim() !== "", "must not be blank");

/** A turn, or a message of a chat. */
export const turnBody = z
  .strictObject({
    id: nonBlank.optional().describe("Unique within the session; makes sending it twice harmless."),
    speaker: nonBlank.optional().describe("The name of who speaks. Absent: by the role."),
    role: z.enum(["user", "assistant", "tool", "system"]).optional(),
    content: z.string(),
    timestamp: z.string().optional().describe("ISO 8601. Absent: now."),
    sessionId: nonBlank.optional(),
    metadata: z.record(z.string(), z.json()).optional(),
  })
  .refine(({ speaker, role }) => speaker !== undefined || role !== undefined, "a turn needs a speaker or a role")
  .refine(
    ({ speaker, sessionId, metadata }) => speaker !== undefined || (sessionId === undefined && metadata === undefined),
    "a turn with a session or metadata of its own needs a speaker",
  );

/** The turn as `add` takes it. */
export function turnOf({ speaker, role = "user", ...rest }: z.output<typeof turnBody>): AddInput {
  return speaker === undefined ? { role, ...rest } : { speaker, role, ...rest };
}

const searchOptions = searchSchema.omit({ signal: true, callbacks: true }).extend({
  recent: z.array(turnBody).max(MAX_PAGE).optional(),
});

export const searchBody = searchOptions.extend({ query: z.string() });
export const askBody = searchOptions.extend({ question: z.string() });

/** Options of a search as the handle takes them. */
export function searchOptionsOf({ recent, ...options }: z.output<typeof searchOptions>) {
  return recent === undefined ? options : { ...options, recent: recent.map(turnOf) };
}

const page = {
  limit: z.int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().optional(),
};

export const listBody = listSchema.extend(page);
export const reviewListBody = z.strictObject(page);

/** An entry by its id. */
export const idBody = z.strictObject({ id: nonBlank });
