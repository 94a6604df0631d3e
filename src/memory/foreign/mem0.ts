import { z } from "zod/v4";
import { DEFAULT_SESSION_ID, ImportError, type Metadata } from "../../records/index.js";
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

/** Options of `fromMem0`. */
export interface Mem0Options {
  /** Takes the memories of this user of mem0 alone. Required when the export holds several users'. */
  readonly userId?: string;
}

const optionsSchema = z.strictObject({ userId: nonBlank.optional() });
const textOrNull = z.string().nullish();

/** Its Python package writes snake_case, its JavaScript package camelCase. */
const memorySchema = z.looseObject({
  id: nonBlank,
  memory: nonBlank,
  user_id: textOrNull,
  userId: textOrNull,
  run_id: textOrNull,
  runId: textOrNull,
  metadata: z.record(z.string(), z.json()).nullish(),
  categories: z.array(z.string()).nullish(),
  created_at: foreignTime.nullish(),
  createdAt: foreignTime.nullish(),
  updated_at: foreignTime.nullish(),
  updatedAt: foreignTime.nullish(),
});
const exportSchema = z.union([z.array(z.unknown()), z.looseObject({ results: z.array(z.unknown()) })], {
  error: "must be a list of memories or { results: [...] }",
});

type Memory = z.infer<typeof memorySchema>;

function userOf({ user_id, userId }: Memory): string | null {
  return user_id ?? userId ?? null;
}

function statementOf(memory: Memory, index: number): ForeignStatement {
  const createdAt = memory.created_at ?? memory.createdAt ?? null;
  const updatedAt = memory.updated_at ?? memory.updatedAt ?? createdAt;
  if (updatedAt === null) throw new ImportError(`memory ${index + 1} says neither when it was made nor changed.`, null);
  const metadata: Metadata = { ...memory.metadata, importedFrom: "mem0" };
  return {
    id: `mem0:${memory.id}`,
    sessionId: memory.run_id ?? memory.runId ?? DEFAULT_SESSION_ID,
    text: memory.memory,
    topic: memory.categories?.[0] ?? null,
    createdAt: createdAt ?? updatedAt,
    updatedAt,
    metadata,
  };
}

function ofOneUser(memories: readonly Memory[], userId: string | undefined): readonly Memory[] {
  if (userId !== undefined) return memories.filter((memory) => userOf(memory) === userId);
  const users = [...new Set(memories.map(userOf))];
  if (users.length <= 1) return memories;
  throw new ImportError(
    `the export holds memories of several users (${users.map(String).slice(0, 5).join(", ")}); pass { userId }, and import each into a scope of its own.`,
    null,
  );
}

/**
 * The memories of a mem0 export (`{ results: [{ id, memory, … }] }` or the bare list) as an export of this library. Each becomes an
 * entry of trust "import", with the statement itself as the turn that proves it, and `importedFrom: "mem0"` beside its metadata.
 * @param input what `getAll` or the export of mem0 gave, parsed
 * @returns lines for `memory.import`
 * @throws ImportError naming the memory and the field that does not fit, or that the export holds several users'
 * @example await memory.import(fromMem0(JSON.parse(text), { userId: "ilse" }));
 */
export function fromMem0(input: unknown, options: Mem0Options = {}): Generator<string> {
  const { userId } = checkForeign(optionsSchema, options, "the options of fromMem0");
  const parsed = checkForeign(exportSchema, input, "an export of mem0");
  const list = Array.isArray(parsed) ? parsed : parsed.results;
  const memories = list.map((one, index) => checkForeign(memorySchema, one, `memory ${index + 1}`));
  const statements = ofOneUser(memories, userId)
    .map(statementOf)
    .sort((left, right) => (left.updatedAt < right.updatedAt ? -1 : Number(left.updatedAt > right.updatedAt)));
  return asExport([...turnRecords(statements.map(statementTurn), false), ...statements.map(statementEntry)]);
}
