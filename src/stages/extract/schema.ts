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

const MAX_LIST = 24;

const texts = z
  .preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.unknown()))
  .catch([])
  .transform((list) => list.flatMap((one) => (typeof one === "number" ? String(one) : one)))
  .transform((list) =>
    list
      .filter((one): one is string => typeof one === "string" && one.trim() !== "" && one.isWellFormed())
      .slice(0, MAX_LIST),
  );
const textOrNull = z
  .string()
  .refine((text) => text.trim() !== "" && text.isWellFormed())
  .nullable()
  .catch(null);

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

function hasEntry(value: unknown): boolean {
  return typeof value === "object" && value !== null && "lossless_restatement" in value;
}

/** A list that a model wrote as text within its JSON. */
function listIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || !value.trimStart().startsWith("[")) return null;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** The list of items in a reply: `{ entries: [...] }`, a bare list, or one item alone; null when it is none of them. */
export function itemsOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  if ("entries" in value) return listIn(value.entries);
  return hasEntry(value) ? [value] : null;
}

/** An empty list is an answer only when it is the whole reply; another list when one of its items is an entry. */
export function isExtraction(value: unknown, isWhole: boolean): boolean {
  const items = itemsOf(value);
  if (items === null) return false;
  return items.length === 0 ? isWhole : items.some(hasEntry);
}

/** The open questions of a reply. */
export function openQuestionsOf(value: unknown): string[] {
  const given = typeof value === "object" && value !== null ? Reflect.get(value, "open_questions") : [];
  return texts.parse(given ?? []);
}

function sourcesIn(items: readonly unknown[]): Set<string> {
  return new Set(
    items.flatMap((item) => {
      const read = itemSchema.safeParse(item);
      return read.success ? (read.data.source_ids ?? []) : [];
    }),
  );
}

/** Whether the later list is a second version of the earlier one: it stands on every line that the earlier one cites. */
function isRevision(earlier: readonly unknown[], later: readonly unknown[]): boolean {
  const before = sourcesIn(earlier);
  const after = sourcesIn(later);
  return before.size > 0 && [...before].every((id) => after.has(id));
}

/** Several lists of one reply as one: a draft gives way to what replaces it, and lists about other lines are joined. */
export function joinExtractions(values: readonly unknown[]): unknown {
  const lists = values.map((value) => itemsOf(value) ?? []);
  const areLists = values.map((value) => !hasEntry(value));
  const kept = lists.filter(
    (list, index) =>
      !lists.some(
        (later, position) => position > index && areLists[index] && areLists[position] && isRevision(list, later),
      ),
  );
  return { entries: kept.flat(), open_questions: values.flatMap(openQuestionsOf) };
}
