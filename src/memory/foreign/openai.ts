import { createHash } from "node:crypto";
import { z } from "zod/v4";
import { contentText, DEFAULT_SPEAKER_NAMES, ImportError, type Role } from "../../records/index.js";
import { asExport, checkForeign, type ForeignTurn, foreignTime, nonBlank, turnRecords } from "./lines-of.js";

/** Options of `fromOpenAiMessages`. */
export interface OpenAiMessagesOptions {
  /** The session that the turns belong to. */
  readonly sessionId: string;
  /** When the first message was said, ISO 8601: for messages that carry no time. Each further one counts as a minute later. */
  readonly startedAt?: string;
  /** Speaker of user messages without a name. Default "User". */
  readonly userName?: string;
  /** Speaker of assistant messages without a name. Default "Assistant". */
  readonly assistantName?: string;
}

const optionsSchema = z.strictObject({
  sessionId: nonBlank,
  startedAt: foreignTime.optional(),
  userName: nonBlank.optional(),
  assistantName: nonBlank.optional(),
});

const MINUTE_MS = 60_000;
const ROLES: { readonly [name: string]: Role } = {
  user: "user",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
  system: "system",
  developer: "system",
};
const knownRole = z.enum(["user", "assistant", "tool", "function", "system", "developer"]);

/** Seconds since the epoch, as its services write times. */
const epoch = z.number().transform((value) => new Date(value * 1000).toISOString());
const time = z.union([epoch, foreignTime]).nullish();
const messageSchema = z.looseObject({
  id: z.string().nullish(),
  role: knownRole,
  content: z.unknown(),
  name: z.string().nullish(),
  timestamp: time,
  created_at: time,
  create_time: time,
});
type Message = z.infer<typeof messageSchema>;

/** What is said by whom. */
interface Said {
  readonly id: string | null;
  readonly role: Role;
  readonly name: string | null;
  readonly content: string;
  readonly time: string | null;
}

interface Speakers {
  readonly userName?: string | undefined;
  readonly assistantName?: string | undefined;
}

function speakerOf({ name, role }: Said, { userName, assistantName }: Speakers): string {
  if (name !== null && name.trim() !== "" && role !== "tool") return name;
  if (role === "user") return userName ?? DEFAULT_SPEAKER_NAMES.user;
  return role === "assistant" ? (assistantName ?? DEFAULT_SPEAKER_NAMES.assistant) : role;
}

function saidIn({ id, role, content, name, ...times }: Message): Said {
  return {
    id: id ?? null,
    role: ROLES[role] ?? "user",
    name: name ?? null,
    content: contentText(content),
    time: times.timestamp ?? times.created_at ?? times.create_time ?? null,
  };
}

/** The same message in the same place has the same id, so that it is not stored twice. */
function madeId(sessionId: string, index: number, { role, content }: Said): string {
  return createHash("sha256")
    .update(JSON.stringify([sessionId, index, role, content]))
    .digest("hex")
    .slice(0, 32);
}

/** Messages in which something is said, as turns. A message without a time is a minute later than the one before. */
function turnsOf(
  said: readonly Said[],
  sessionId: string,
  startedAt: string | null,
  speakers: Speakers,
): ForeignTurn[] {
  let last = startedAt === null ? null : Date.parse(startedAt) - MINUTE_MS;
  return said.flatMap((one, index) => {
    if (one.content.trim() === "") return [];
    const guessed = last === null ? null : new Date(last + MINUTE_MS).toISOString();
    const timestamp = one.time ?? guessed;
    if (timestamp === null) {
      throw new ImportError(`message ${index + 1} carries no time; pass { startedAt }, when the first was said.`, null);
    }
    last = Date.parse(timestamp);
    const turn: ForeignTurn = {
      id: one.id ?? madeId(sessionId, index, one),
      sessionId,
      speaker: speakerOf(one, speakers),
      role: one.role,
      content: one.content,
      timestamp,
      timestampIsAssumed: one.time === null,
      metadata: { importedFrom: "openai" },
    };
    return [turn];
  });
}

/**
 * A conversation in the messages of OpenAI's API (`[{ role, content, name?, id?, timestamp? }]`) as an export of this library, in one
 * session. The turns wait for the next `flush`, which compares them with what is known in the order in which they were said. Messages in
 * which nothing is said (a bare tool call) are left out; a time may stand in `timestamp`, `created_at` or `create_time`, as ISO 8601 or
 * in seconds since the epoch.
 * @returns lines for `memory.import`
 * @throws ImportError naming the message and the field that does not fit, or that a time is missing
 * @example
 * const messages = [{ role: "user", content: "I moved to Graz." }];
 * await memory.import(fromOpenAiMessages(messages, { sessionId: "chat-7", startedAt: "2024-05-01T09:00:00Z" }));
 * await memory.flush();
 */
export function fromOpenAiMessages(input: unknown, options: OpenAiMessagesOptions): Generator<string> {
  const {
    sessionId,
    startedAt = null,
    ...speakers
  } = checkForeign(optionsSchema, options, "the options of fromOpenAiMessages");
  const list = checkForeign(z.array(z.unknown()), input, "the messages of a conversation");
  const said = list.map((one, index) => saidIn(checkForeign(messageSchema, one, `message ${index + 1}`)));
  return asExport(turnRecords(turnsOf(said, sessionId, startedAt, speakers), true));
}
