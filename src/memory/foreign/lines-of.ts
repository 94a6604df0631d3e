import { z } from "zod/v4";
import { firstChange, ImportError, type Metadata, type Role } from "../../records/index.js";
import { headerLine, type MovedEntry, type MovedRecord, recordLine } from "../moves/lines.js";
import { SEQUENCES_PER_MS } from "../sequences.js";

/** A turn of another program. */
export interface ForeignTurn {
  readonly id: string;
  readonly sessionId: string;
  readonly speaker: string;
  readonly role: Role;
  readonly content: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly timestampIsAssumed?: boolean;
  readonly metadata: Metadata;
}

/** A statement that another program made of something that nobody knows any more. */
export interface ForeignStatement {
  readonly id: string;
  readonly sessionId: string;
  readonly text: string;
  readonly topic: string | null;
  /** When it was stated, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it was last changed, ISO 8601 in UTC. */
  readonly updatedAt: string;
  readonly metadata: Metadata;
}

/** The source that foreign statements are quoted from. */
const SPEAKER = "import";

function entryOf(statement: ForeignStatement): MovedEntry {
  const { id, sessionId, text, topic, createdAt, updatedAt, metadata } = statement;
  return {
    entryId: id,
    sessionId,
    losslessRestatement: text,
    keywords: [],
    timestamp: null,
    timestampEnd: null,
    mentionedAt: updatedAt,
    location: null,
    persons: [],
    entities: [],
    topic,
    attributes: {},
    kind: "fact",
    speaker: SPEAKER,
    sourceRole: "tool",
    sourceIds: [id],
    confidence: 1,
    importance: 0.5,
    trust: "import",
    status: "active",
    pinned: false,
    validFrom: updatedAt,
    validTo: null,
    expiresAt: null,
    supersedes: [],
    supersededBy: null,
    derivedFrom: [],
    accessCount: 0,
    lastAccessedAt: null,
    metadata,
    createdAt,
    updatedAt,
  };
}

/** The entry of a statement; the statement itself is the turn that proves it. */
export function statementEntry(statement: ForeignStatement): MovedRecord {
  const cause = { op: "stored", by: "unknown", reason: "imported", related: [] } as const;
  const { createdAt: at, updatedAt: saidAt, id } = statement;
  return { type: "entry", entry: entryOf(statement), changes: [firstChange({ ...cause, at, saidAt, turnIds: [id] })] };
}

/** The turn of a statement: what it said stays findable, and `forget` has a source to go by. */
export function statementTurn({ id, sessionId, text, updatedAt, metadata }: ForeignStatement): ForeignTurn {
  return { id, sessionId, speaker: SPEAKER, role: "tool", content: text, timestamp: updatedAt, metadata };
}

/** Turns as records, numbered in their order. @param pending the next flush makes entries of them */
export function* turnRecords(turns: Iterable<ForeignTurn>, pending: boolean): Generator<MovedRecord> {
  let sequence = 0;
  for (const { id, timestamp, timestampIsAssumed = false, ...turn } of turns) {
    sequence = Math.max(sequence + 1, Date.parse(timestamp) * SEQUENCES_PER_MS);
    yield {
      type: "turn",
      turn: { dialogueId: id, ...turn, timestamp, timestampIsAssumed, offsetMinutes: 0, sequence },
      ...(pending ? { pending: true } : {}),
    };
  }
}

/** Records as the lines of an export. */
export function* asExport(records: Iterable<MovedRecord>): Generator<string> {
  let written = 0;
  yield headerLine();
  for (const record of records) {
    written += 1;
    yield recordLine(record);
  }
  yield recordLine({ type: "end", records: written });
}

/** @throws ImportError naming what it is, which field, and what is wrong with it */
export function checkForeign<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  throw new ImportError(`${what}${path === "" ? "" : `, field ${path}`}: ${issue?.message ?? "does not fit"}.`, null);
}

/** An ISO 8601 time, given back in UTC; without an offset it is read as UTC. */
export const foreignTime = z
  .string()
  .transform((value) => (/T[^Z+-]*$/.test(value) ? `${value}Z` : value))
  .refine((value) => !Number.isNaN(Date.parse(value)), "must be an ISO 8601 time")
  .transform((value) => new Date(value).toISOString());

/** Options of every importer, checked. */
export const nonBlank = z.string().refine((value) => value.trim() !== "", "must not be blank");
