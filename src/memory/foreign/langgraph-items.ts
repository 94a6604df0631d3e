import { z } from "zod/v4";
import { DEFAULT_SESSION_ID, type Fact, type Json } from "../../records/index.js";
import type { MovedRecord } from "../moves/lines.js";
import {
  asExport,
  checkForeign,
  type ForeignStatement,
  foreignTime,
  nonBlank,
  statementEntry,
  statementTurn,
  turnRecords,
} from "./lines-of.js";

/** The item of a store has its times as text or, in the same process, as `Date`. */
const time = z.union([z.date().transform((value) => value.toISOString()), foreignTime]);
const itemSchema = z
  .looseObject({
    namespace: z.array(z.string()).min(1),
    key: nonBlank,
    value: z.record(z.string(), z.json()),
    created_at: time.optional(),
    createdAt: time.optional(),
    updated_at: time.optional(),
    updatedAt: time.optional(),
  })
  .transform(({ namespace, key, value, ...times }, context) => {
    const updatedAt = times.updated_at ?? times.updatedAt ?? times.created_at ?? times.createdAt;
    if (updatedAt === undefined) {
      context.addIssue({ code: "custom", message: "has neither created_at nor updated_at" });
      return z.NEVER;
    }
    return { namespace, key, value, createdAt: times.created_at ?? times.createdAt ?? updatedAt, updatedAt };
  });
type Item = z.infer<typeof itemSchema>;

/** Fields in which agents keep what they remember as a sentence. */
const TEXT_FIELDS = ["memory", "text", "content", "data"];
/** A sentence has several words; one word is a value. */
const SENTENCE = /\S\s+\S/u;

function textIn(value: Json): string | null {
  if (typeof value === "string") return SENTENCE.test(value) ? value : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  for (const [field, inner] of Object.entries(value)) {
    const found = TEXT_FIELDS.includes(field) ? textIn(inner) : null;
    if (found !== null) return found;
  }
  return null;
}

function statementOf({ namespace, key, createdAt, updatedAt }: Item, text: string): ForeignStatement {
  const metadata = { importedFrom: "langgraph", namespace, key };
  const id = `langgraph:${JSON.stringify([...namespace, key])}`;
  return { id, sessionId: DEFAULT_SESSION_ID, text, topic: null, createdAt, updatedAt, metadata };
}

function factOf({ namespace, key, value, createdAt, updatedAt }: Item): Fact {
  const [only, ...others] = Object.values(value);
  const isText = typeof only === "string" && others.length === 0;
  return {
    key: [...namespace, key].join("/"),
    value: isText ? only : JSON.stringify(value),
    category: namespace.join("/"),
    sessionId: DEFAULT_SESSION_ID,
    expiresAt: null,
    history: [],
    createdAt,
    updatedAt,
  };
}

/**
 * Items of a LangGraph store (`{ namespace, key, value, created_at, updated_at }`, or with `createdAt` and `updatedAt`) as an export of
 * this library. An item whose value holds a sentence under `memory`, `text`, `content` or `data` becomes an entry of trust "import";
 * any other a fact, its key the namespace and the key joined by "/", its value as JSON. Items that are to stay items go into a
 * `SimpleMemStore`.
 * @param input the list of items, of one user
 * @returns lines for `memory.import`
 * @throws ImportError naming the item and the field that does not fit
 * @example await memory.import(fromLangGraphItems(await store.search(["users", "ilse"], { limit: 1000 })));
 */
export function fromLangGraphItems(input: unknown): Generator<string> {
  const list = checkForeign(z.array(z.unknown()), input, "the items of a store");
  const items = list.map((one, index) => checkForeign(itemSchema, one, `item ${index + 1}`));
  const statements: ForeignStatement[] = [];
  const facts: MovedRecord[] = [];
  for (const item of items) {
    const text = textIn(item.value);
    if (text === null) facts.push({ type: "fact", fact: factOf(item) });
    else statements.push(statementOf(item, text));
  }
  statements.sort((left, right) => (left.updatedAt < right.updatedAt ? -1 : Number(left.updatedAt > right.updatedAt)));
  return asExport([...turnRecords(statements.map(statementTurn), false), ...statements.map(statementEntry), ...facts]);
}
