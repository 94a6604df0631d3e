import { InvalidInputError } from "./errors.js";
import { parseInstant } from "./instant.js";
import type { AddInput } from "./scoped-memory.js";
import type { Json, Role, TurnInput } from "./turn.js";

/** Names for messages that carry none. */
export interface SpeakerNames {
  /** Speaker of the user's messages. */
  readonly user: string;
  /** Speaker of the assistant's messages. */
  readonly assistant: string;
}

/** The names where a handle gives none. */
export const DEFAULT_SPEAKER_NAMES: SpeakerNames = { user: "User", assistant: "Assistant" };

const ROLES: { readonly [name: string]: Role } = {
  human: "user",
  user: "user",
  ai: "assistant",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
  system: "system",
  developer: "system",
};

/** A turn in the caller's form, with whether its id was given. Empty content means: nothing was said (a bare tool call). */
interface LooseMessage {
  readonly role: Role;
  readonly content: string;
  readonly name?: string;
  readonly id?: string;
  readonly timestamp?: string | Date;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const PLACEHOLDERS = [
  [/image/i, "[image]"],
  [/audio/i, "[audio]"],
  [/video/i, "[video]"],
  [/file|document/i, "[file]"],
] as const;
/** Blocks in which a model thinks: nobody was told what they hold, whatever they call it. */
const THOUGHT = /reason|think/i;
/** A file within a text, as chats write pictures: `![a cat](data:image/png;base64,…)`. */
const DATA_URL = /data:([\w.+-]+\/[\w.+-]+)(?:;[\w.-]+=[^;,\s]{1,80})*;base64,[\w+/=-]{16,}/gi;
const MEDIA_FIELDS = ["type", "mime_type", "mimeType", "media_type"] as const;

function placeholderFor(names: string): string {
  return PLACEHOLDERS.find(([pattern]) => pattern.test(names))?.[1] ?? "";
}

/** The text with files that are embedded in it as data URLs shown as short placeholders: they are no words. */
export function withoutEmbeddedFiles(text: string): string {
  return text.replace(DATA_URL, (_, mediaType: string) => placeholderFor(`${mediaType} file`));
}

/** All that says what kind of thing a block holds; providers put it into different fields. */
function mediaNames(block: Record<string, unknown>): string {
  const parts = [block, block.source, block.inlineData, block.fileData].filter(isRecord);
  const named = parts.flatMap((part) => MEDIA_FIELDS.map((field) => part[field]));
  const keys = "type" in block ? [] : Object.keys(block);
  return [...named, ...keys].filter((name) => typeof name === "string").join(" ");
}

function textOfBlock(block: unknown): string {
  if (typeof block === "string") return withoutEmbeddedFiles(block);
  if (!isRecord(block) || THOUGHT.test(String(block.type))) return "";
  return typeof block.text === "string" ? withoutEmbeddedFiles(block.text) : placeholderFor(mediaNames(block));
}

/** The text of a message's content: blocks joined by line, pictures and files as short placeholders, null as "". */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOfBlock(content);
  return content
    .map(textOfBlock)
    .filter((text) => text !== "")
    .join("\n");
}

function stringField(record: Record<string, unknown>, key: string): string | undefined {
  const value = record[key];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function isTime(value: unknown): value is string | Date {
  if (typeof value !== "string" && !(value instanceof Date)) return false;
  try {
    parseInstant(value, "UTC");
    return true;
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}

/**
 * When a message was said. A time of its own is the caller's, and refused later when it is none; one among the notes that
 * providers attach is taken when it can be read.
 */
function timestampOf(fields: Record<string, unknown>): string | Date | undefined {
  const own = fields.timestamp;
  if (typeof own === "string" || own instanceof Date) return own;
  const noted = [fields.additional_kwargs, fields.response_metadata].map((notes) =>
    isRecord(notes) ? notes.timestamp : undefined,
  );
  return noted.find(isTime);
}

// Checked by shape, never by class: a message from another copy of core is a message too.
function typeOfMessage(value: Record<string, unknown>): string | undefined {
  for (const method of ["_getType", "getType"]) {
    const get = value[method];
    if (typeof get === "function") return String(get.call(value));
  }
  return undefined;
}

function fromFields(type: string, fields: Record<string, unknown>): LooseMessage {
  const name = type.replace(/Message(?:Chunk)?$/, "").toLowerCase();
  // A message of any role tells it in a field: "generic" by its type, "chat" by its class.
  const role =
    ROLES[name === "generic" || name === "chat" ? (stringField(fields, "role") ?? "user").toLowerCase() : name];
  if (role === undefined) {
    throw new InvalidInputError(
      `a message of type ${JSON.stringify(type)} is not known; use human, ai, tool or system.`,
    );
  }
  const speaker = stringField(fields, "name");
  const id = stringField(fields, "id");
  const timestamp = timestampOf(fields);
  return {
    role,
    content: contentText(fields.content),
    ...(speaker === undefined || role === "tool" ? {} : { name: speaker }),
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}

function looseMessage(input: unknown): LooseMessage {
  if (Array.isArray(input) && input.length === 2 && typeof input[0] === "string") {
    return fromFields(input[0], { content: input[1] });
  }
  if (!isRecord(input)) {
    throw new InvalidInputError(
      'add takes turns ({ speaker, content }), LangChain messages, { role, content } or ["human", "text"].',
    );
  }
  const type = typeOfMessage(input);
  if (type !== undefined) return fromFields(type, input);
  if (input.lc === 1 && Array.isArray(input.id) && isRecord(input.kwargs)) {
    return fromFields(String(input.id.at(-1)), input.kwargs);
  }
  if (typeof input.type === "string" && isRecord(input.data)) return fromFields(input.type, input.data);
  const role = stringField(input, "role") ?? stringField(input, "type");
  if (role === undefined) {
    throw new InvalidInputError("a turn needs a speaker, or a message a role; got neither.");
  }
  return fromFields(role, input);
}

function isTurnInput(input: unknown): input is TurnInput {
  return isRecord(input) && typeof input.speaker === "string" && typeOfMessage(input) === undefined;
}

const TURN_KEYS = new Set(["id", "speaker", "role", "content", "timestamp", "sessionId", "metadata"]);

function checkJson(value: unknown, path: string): asserts value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      checkJson(item, `${path}[${index}]`);
    });
    return;
  }
  if (isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    for (const [key, item] of Object.entries(value)) checkJson(item, `${path}.${key}`);
    return;
  }
  throw new InvalidInputError(`${path} must be plain JSON; got a value that JSON cannot hold.`);
}

function checkTurn(turn: TurnInput): TurnInput {
  const unknownKey = Object.keys(turn).find((key) => !TURN_KEYS.has(key));
  if (unknownKey !== undefined) {
    throw new InvalidInputError(`a turn has no field ${JSON.stringify(unknownKey)}; put it into metadata.`);
  }
  if (turn.speaker.trim() === "") throw new InvalidInputError("a turn's speaker must not be blank.");
  if (typeof turn.content !== "string" || turn.content.trim() === "") {
    throw new InvalidInputError("a turn's content must be a non-blank string.");
  }
  for (const key of ["id", "sessionId"] as const) {
    const value = turn[key];
    if (value !== undefined && (typeof value !== "string" || value.trim() === "")) {
      throw new InvalidInputError(`a turn's ${key} must be a non-blank string.`);
    }
  }
  if (turn.role !== undefined && !Object.values(ROLES).includes(turn.role)) {
    throw new InvalidInputError(
      `a turn's role must be user, assistant, tool or system, got ${JSON.stringify(turn.role)}.`,
    );
  }
  if (turn.metadata !== undefined) {
    if (!isRecord(turn.metadata)) throw new InvalidInputError("a turn's metadata must be an object.");
    checkJson(turn.metadata, "metadata");
  }
  return turn;
}

function speakerOf(message: LooseMessage, names: SpeakerNames): string {
  if (message.name !== undefined) return message.name;
  if (message.role === "user") return names.user;
  return message.role === "assistant" ? names.assistant : message.role;
}

/**
 * Brings everything that `add` takes into one form. A message in which nothing is said (a bare tool call, an empty
 * list of blocks) gives null.
 * @throws InvalidInputError saying which field was wrong
 */
export function toTurnInput(input: AddInput, names: SpeakerNames): TurnInput | null {
  if (isTurnInput(input)) return checkTurn(input);
  const message = looseMessage(input);
  if (message.content.trim() === "") return null;
  return {
    speaker: speakerOf(message, names),
    role: message.role,
    content: message.content,
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.timestamp === undefined ? {} : { timestamp: message.timestamp }),
  };
}

/** True when `add` was given a list of inputs, not one `["human", "text"]` pair. */
export function isInputList(input: AddInput | readonly AddInput[]): input is readonly AddInput[] {
  if (!Array.isArray(input)) return false;
  const isPair = input.length === 2 && typeof input[0] === "string" && input[0].toLowerCase() in ROLES;
  return !isPair;
}
