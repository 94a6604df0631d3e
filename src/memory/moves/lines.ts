import { z } from "zod/v4";
import {
  type ChangeOperation,
  type DialogueTurn,
  ENTRY_STATUSES,
  type EntryChange,
  type ExtractedItem,
  type Fact,
  ImportError,
  type MemoryEntry,
  type WindowRecord,
} from "../../records/index.js";
import type { NumberedLine } from "./line-reader.js";

/** The form of an export. A change that an older library cannot read makes another version. */
export const EXPORT_FORMAT = "simplemem-export";
export const EXPORT_VERSION = 1;

/** A turn without what follows from it. */
export type MovedTurn = Omit<DialogueTurn, "contentHash">;
/** An entry without what says of its vector: that one stays behind. */
export type MovedEntry = Omit<MemoryEntry, "embeddingModel">;
/** A window without who holds it. */
export type MovedWindow = Omit<WindowRecord, "agentId" | "owner" | "leaseExpiresAt">;

const text = z.string();
const name = text.min(1);
const names = z.array(text);
const time = text.refine((value) => !Number.isNaN(Date.parse(value)), "must be an ISO 8601 time");
const timeOrNull = time.nullable();
const textOrNull = text.nullable();
const share = z.number().min(0).max(1);
const count = z.number().min(0);
const role = z.enum(["user", "assistant", "tool", "system"]);
const metadata = z.record(text, z.json());

/** A schema for each field, optional ones too: a record that gains a field does not compile before its lines do. */
type Fields<T> = { [field in keyof T]-?: z.ZodType };

const turn = z.strictObject({
  dialogueId: name,
  sessionId: name,
  speaker: name,
  role,
  content: name,
  timestamp: time,
  offsetMinutes: z.number(),
  timestampIsAssumed: z.boolean(),
  sequence: count,
  metadata,
} satisfies Fields<MovedTurn>) satisfies z.ZodType<MovedTurn>;

const item = z.strictObject({
  // Of what was forgotten nothing is left.
  losslessRestatement: text,
  keywords: names,
  timestamp: timeOrNull,
  timestampEnd: timeOrNull,
  mentionedAt: time,
  location: textOrNull,
  persons: names,
  entities: names,
  topic: textOrNull,
  attributes: z.record(text, text),
  kind: z.enum(["fact", "preference", "event", "plan", "decision", "pattern"]),
  speaker: text,
  sourceRole: role,
  sourceIds: names,
  confidence: share,
  importance: share,
} satisfies Fields<ExtractedItem>);

const entry = z.strictObject({
  entryId: name,
  sessionId: name,
  ...item.shape,
  losslessRestatement: name,
  trust: z.enum(["user", "assistant", "tool", "import"]),
  status: z.enum(ENTRY_STATUSES),
  pinned: z.boolean(),
  validFrom: timeOrNull,
  validTo: timeOrNull,
  expiresAt: timeOrNull,
  supersedes: names,
  supersededBy: textOrNull,
  derivedFrom: names,
  accessCount: count,
  lastAccessedAt: timeOrNull,
  metadata,
  createdAt: time,
  updatedAt: time,
} satisfies Fields<MovedEntry>) satisfies z.ZodType<MovedEntry>;

const formerFields = entry.partial();
const formerLengths = z.record(text, count);

function fits(schema: z.ZodType): (value: unknown) => boolean {
  return (value) => schema.safeParse(value).success;
}

/** All of them, or this does not compile. */
const OPERATIONS = {
  extracted: "extracted",
  joined: "joined",
  merged: "merged",
  superseded: "superseded",
  superseding: "superseding",
  conflicted: "conflicted",
  done: "done",
  doubted: "doubted",
  updated: "updated",
  restored: "restored",
  pinned: "pinned",
  unpinned: "unpinned",
  approved: "approved",
  rejected: "rejected",
  forgotten: "forgotten",
  expired: "expired",
  archived: "archived",
  revived: "revived",
  condensed: "condensed",
  expanded: "expanded",
  rebuilt: "rebuilt",
  stored: "stored",
} as const satisfies { [op in ChangeOperation]: op };

const change = z.strictObject({
  op: z.enum(OPERATIONS),
  at: time,
  saidAt: time.optional(),
  by: z.enum(["user", "model", "rule", "stage", "maintenance", "unknown"]),
  turnIds: names,
  reason: textOrNull,
  related: names,
  before: z.custom<EntryChange["before"]>(fits(formerFields), "must hold former values of an entry's fields"),
  grew: z.custom<EntryChange["grew"]>(fits(formerLengths), "must hold former lengths of an entry's lists"),
} satisfies Fields<EntryChange>) satisfies z.ZodType<EntryChange>;

const window = z.strictObject({
  windowId: name,
  sessionId: name,
  turnIds: names,
  contextIds: names,
  state: z.enum(["pending", "claimed", "extracted", "stored", "failed"]),
  attempts: count,
  lastError: textOrNull,
  items: z.array(item),
  createdAt: time,
  updatedAt: time,
} satisfies Fields<MovedWindow>) satisfies z.ZodType<MovedWindow>;

const fact = z.strictObject({
  key: name,
  value: text,
  category: name,
  sessionId: name,
  expiresAt: timeOrNull,
  history: z.array(z.strictObject({ value: text, until: time })),
  createdAt: time,
  updatedAt: time,
} satisfies Fields<Fact>) satisfies z.ZodType<Fact>;

const RECORDS = {
  turn: z.strictObject({ type: z.literal("turn"), turn, pending: z.literal(true).optional() }),
  window: z.strictObject({ type: z.literal("window"), window }),
  entry: z.strictObject({ type: z.literal("entry"), entry, changes: z.array(change) }),
  fact: z.strictObject({ type: z.literal("fact"), fact }),
  end: z.strictObject({ type: z.literal("end"), records: count }),
};
/** One record of an export. Its last one counts those before it: a file that was cut off has none. */
export type MovedRecord =
  | { readonly type: "turn"; readonly turn: MovedTurn; readonly pending?: true | undefined }
  | { readonly type: "window"; readonly window: MovedWindow }
  | { readonly type: "entry"; readonly entry: MovedEntry; readonly changes: readonly EntryChange[] }
  | { readonly type: "fact"; readonly fact: Fact }
  | { readonly type: "end"; readonly records: number };
export type RecordOf<T extends MovedRecord["type"]> = Extract<MovedRecord, { type: T }>;

const record: z.ZodType<MovedRecord> = z.discriminatedUnion("type", [
  RECORDS.turn,
  RECORDS.window,
  RECORDS.entry,
  RECORDS.fact,
  RECORDS.end,
]);

const header = z.strictObject({ format: z.literal(EXPORT_FORMAT), version: z.literal(EXPORT_VERSION) });
const anyHeader = z.looseObject({ format: z.literal(EXPORT_FORMAT), version: z.number() });
const anyRecord = z.looseObject({ type: z.string() });

/** The first line of an export. */
export function headerLine(): string {
  return `${JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION } satisfies z.infer<typeof header>)}\n`;
}

/**
 * One line of an export. The schema brings the fields into one order, so that equal records make equal lines, and lets nothing
 * through that an import would refuse.
 */
export function recordLine(value: MovedRecord): string {
  return `${JSON.stringify(record.parse(value))}\n`;
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String).join(".") ?? "";
  return `${path === "" ? "" : `field ${path}: `}${issue?.message ?? "does not fit"}`;
}

function jsonOf({ number, text: line }: NumberedLine): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new ImportError(
      "this is no JSON; each line of an export is one JSON object and ends with a line break.",
      number,
      { cause: error },
    );
  }
}

/** @throws ImportError unless it is the first line of an export that this version reads */
export function checkHeader(line: NumberedLine): void {
  const value = jsonOf(line);
  const any = anyHeader.safeParse(value);
  if (any.success && any.data.version > EXPORT_VERSION) {
    throw new ImportError(
      `the export has version ${any.data.version}, this library reads ${EXPORT_VERSION}; nothing was imported. Update simplemem-langchain.`,
      line.number,
    );
  }
  if (header.safeParse(value).success) return;
  throw new ImportError(
    `an export begins with ${headerLine().trim()}; nothing was imported. What other programs wrote goes through one of the importers.`,
    line.number,
  );
}

/** @throws ImportError naming the line, and the first field that does not fit */
export function parseRecord(line: NumberedLine): MovedRecord {
  const value = jsonOf(line);
  const parsed = record.safeParse(value);
  if (parsed.success) return parsed.data;
  const kind = anyRecord.safeParse(value);
  if (kind.success && !(kind.data.type in RECORDS)) {
    throw new ImportError(`records of type ${JSON.stringify(kind.data.type)} are not known here.`, line.number);
  }
  throw new ImportError(`${problemOf(parsed.error)}.`, line.number);
}
