import { z } from "zod/v4";

/** What the model is asked for: kept plain, since every provider reads it. */
export const extractSchema = z.object({
  entries: z.array(
    z.object({
      lossless_restatement: z.string(),
      keywords: z.array(z.string()),
      timestamp: z.string().nullable(),
      location: z.string().nullable(),
      persons: z.array(z.string()),
      entities: z.array(z.string()),
      topic: z.string().nullable(),
      kind: z.string(),
      source_ids: z.array(z.string()),
    }),
  ),
  open_questions: z.array(z.string()),
});

const texts = z
  .array(z.unknown())
  .catch([])
  .transform((list) =>
    list.filter((one): one is string => typeof one === "string" && one.trim() !== "" && one.isWellFormed()),
  );
const textOrNull = z.string().nullable().catch(null);

/** What is taken: only the restatement is required, and everything else is mended or left out. */
export const itemSchema = z.object({
  lossless_restatement: z.string().refine((text) => text.trim() !== "", "is blank"),
  keywords: texts.optional(),
  timestamp: textOrNull.optional(),
  timestamp_end: textOrNull.optional(),
  location: textOrNull.optional(),
  persons: texts.optional(),
  entities: texts.optional(),
  topic: textOrNull.optional(),
  kind: z.string().optional().catch(undefined),
  attributes: z.record(z.string(), z.string()).optional().catch(undefined),
  source_ids: texts.optional(),
});

export type ReplyItem = z.infer<typeof itemSchema>;

/** The list of items in a reply: `{ entries: [...] }` or a bare list. */
export function itemsOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value === "object" && value !== null && "entries" in value && Array.isArray(value.entries)) {
    return value.entries;
  }
  return null;
}

/** An empty list is an answer only when it is the whole reply; another list when one of its items is an entry. */
export function isExtraction(value: unknown, isWhole: boolean): boolean {
  const items = itemsOf(value);
  if (items === null) return false;
  if (items.length === 0) return isWhole;
  return items.some((item) => typeof item === "object" && item !== null && "lossless_restatement" in item);
}
