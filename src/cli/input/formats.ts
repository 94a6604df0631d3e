import { basename, extname } from "node:path";
import type { NumberedLine } from "../../memory/moves/line-reader.js";
import { messageOf, wrongUsage } from "../failure.js";
import { placeOf, STDIN } from "./lines.js";

/** What can be added: turns one a line, turns as one list, and what other programs write. */
export const FORMATS = ["jsonl", "json", "openai", "locomo", "mem0", "langgraph"] as const;
/** One of them. */
export type Format = (typeof FORMATS)[number];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function attempted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An input that is one JSON document. @throws Failure when it is none */
export function documentOf(lines: readonly NumberedLine[], name: string): unknown {
  try {
    return JSON.parse(lines.map(({ text }) => text).join("\n"));
  } catch (error) {
    throw wrongUsage(`${placeOf(name)} is no JSON: ${messageOf(error)} Nothing was added.`);
  }
}

/** A chat as a document may hold it: the list of messages itself, or with the list as `messages`. */
export function messagesOf(document: unknown): unknown {
  return isObject(document) && Array.isArray(document.messages) ? document.messages : document;
}

function formatOfItem(item: unknown): Format | null {
  if (!isObject(item)) return null;
  if ("namespace" in item && "key" in item) return "langgraph";
  if ("memory" in item) return "mem0";
  if ("speaker" in item) return "json";
  return "role" in item ? "openai" : null;
}

function formatOfDocument(document: unknown): Format | null {
  const messages = messagesOf(document);
  if (Array.isArray(messages)) return formatOfItem(messages[0]);
  if (!isObject(document)) return null;
  if (Array.isArray(document.results)) return "mem0";
  const conversation = isObject(document.conversation) ? document.conversation : document;
  return Object.keys(conversation).some((key) => /^session_\d+$/.test(key)) ? "locomo" : null;
}

/** A line of its own that says something: a turn, or a message. */
function isTurnLine(value: unknown): boolean {
  return isObject(value) && "content" in value;
}

/**
 * Which format an input has.
 * @throws Failure when nobody can tell, or when it is an export of this program
 */
export function formatOf(lines: readonly NumberedLine[], name: string): Format {
  const [first] = lines;
  if (first === undefined || [".jsonl", ".ndjson"].includes(extname(name))) return ofLines(first, name);
  const line = attempted(first.text);
  if (isTurnLine(line) || isExportHead(line)) return ofLines(first, name);
  const format = formatOfDocument(documentOf(lines, name));
  if (format !== null) return format;
  throw wrongUsage(`nobody can tell what ${placeOf(name)} is; say it with --format ${FORMATS.join("|")}.`);
}

function isExportHead(value: unknown): boolean {
  return isObject(value) && value.format === "simplemem-export";
}

function ofLines(first: NumberedLine | undefined, name: string): Format {
  if (first !== undefined && isExportHead(attempted(first.text))) {
    throw wrongUsage(`${placeOf(name)} is an export of simplemem; \`simplemem import\` takes it in.`);
  }
  return "jsonl";
}

/** The name of an input without folder and ending, for the ids of what it holds. */
export function stemOf(name: string): string | undefined {
  return name === STDIN ? undefined : basename(name, extname(name));
}
