import { InvalidInputError } from "./errors.js";
import type { AddInput } from "./scoped-memory.js";
import type { Json, Metadata, Role, TurnInput } from "./turn.js";

/** Names for messages that carry none. */
export interface SpeakerNames {
  readonly user: string;
  readonly assistant: string;
}

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
  readonly timestamp?: string;
  readonly metadata?: Metadata;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOfBlock(block: unknown): string {
  if (typeof block === "string") return block;
  if (!isRecord(block)) return "";
  if (typeof block.text === "string") return block.text;
  const type = typeof block.type === "string" ? block.type : "";
  if (/image/.test(type)) return "[image]";
  if (/audio/.test(type)) return "[audio]";
  if (/video/.test(type)) return "[video]";
  if (/file|document/.test(type)) return "[file]";
  return "";
}

/** The text of a message's content: blocks joined by line, pictures and files as short placeholders, null as "". */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return isRecord(content) ? textOfBlock(content) : "";
  return content
    .map(textOfBlock)
    .filter((text) => text !== "")
    .join("\n");
}

function stringField(record: Record<string, unknown>, key: string): string | undefined {
  const value = record[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timestampOf(fields: Record<string, unknown>): string | undefined {
  for (const bag of [fields.additional_kwargs, fields.response_metadata]) {
    const value = isRecord(bag) ? stringField(bag, "timestamp") : undefined;
    if (value !== undefined && !Number.isNaN(Date.parse(value))) return value;
  }
  return undefined;
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
  const role =
    ROLES[
      type === "generic"
        ? (stringField(fields, "role") ?? "user")
        : type.replace(/MessageChunk$|Message$/, "").toLowerCase()
    ];
  if (role === undefined) {
    throw new InvalidInputError(
      `a message of type ${JSON.stringify(type)} is not known; use human, ai, tool or system.`,
    );
  }
  const name = stringField(fields, "name");
  const id = stringField(fields, "id");
  const timestamp = timestampOf(fields);
  return {
    role,
    content: contentText(fields.content),
    ...(name === undefined || role === "tool" ? {} : { name }),
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
  if (message.name !== undefined && message.name.trim() !== "") return message.name;
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
