import { z } from "zod/v4";
import { check } from "./options.js";

const nonBlank = z.string().refine((value) => value.trim() !== "", "must not be blank");
const names = z.array(nonBlank);
const time = z.string().nullable();
const share = z.number().min(0).max(1);

const patchFields = {
  text: nonBlank.optional(),
  timestamp: time.optional(),
  timestampEnd: time.optional(),
  persons: names.optional(),
  entities: names.optional(),
  keywords: names.optional(),
  location: nonBlank.nullable().optional(),
  topic: nonBlank.nullable().optional(),
  attributes: z.record(z.string(), z.string().optional()).optional(),
  metadata: z.record(z.string(), z.json().optional()).optional(),
  kind: z.enum(["fact", "preference", "event", "plan", "decision", "pattern"]).optional(),
  trust: z.enum(["user", "assistant", "tool", "import"]).optional(),
  importance: share.optional(),
  confidence: share.optional(),
  validFrom: time.optional(),
  validTo: time.optional(),
  expiresAt: time.optional(),
};

/** What `review.edit` may change. */
export const editSchema = z.strictObject(patchFields);

/** What `update` may change. */
export const patchSchema = z
  .strictObject({ ...patchFields, status: z.enum(["active", "done", "doubtful", "archived"]).optional() })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), "must change something");

export const versionSchema = z.int().min(1);
export const reasonSchema = z.strictObject({ reason: nonBlank.optional() });
export const updateSchema = reasonSchema.extend({ ifVersion: versionSchema.optional() });
export const restoreSchema = reasonSchema.extend({ force: z.boolean().optional() });
export const reviewListSchema = z.strictObject({ limit: z.int().min(1).optional(), cursor: z.string().optional() });

/** @throws InvalidInputError for an id that is none */
export function checkId(id: string): void {
  check(nonBlank, id, "the id of an entry");
}
