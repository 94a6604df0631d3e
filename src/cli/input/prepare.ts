import type { NumberedLine } from "../../memory/moves/line-reader.js";
import { DEFAULT_SESSION_ID, DEFAULT_SPEAKER_NAMES, type TurnInput } from "../../records/index.js";
import type { MemoryCall } from "../call.js";
import { messageOf, wrongUsage } from "../failure.js";
import { documentOf, type Format, formatOf, messagesOf, stemOf } from "./formats.js";
import { placeOf, readLines } from "./lines.js";
import { readTurns } from "./turns.js";

/** The flags of `add`. */
export interface AddFlags {
  readonly format?: Format;
  readonly text?: string;
  readonly speaker?: string;
  readonly userName?: string;
  readonly assistantName?: string;
  readonly startedAt?: string;
  readonly fromUser?: string;
  readonly wait?: boolean;
}

/** Formats of other programs, which an importer reads. */
type Foreign = Exclude<Format, "jsonl" | "json">;

/** An input that was read and checked: turns, or the lines of an export that one of the importers made. */
export type Prepared =
  | { readonly kind: "turns"; readonly turns: readonly TurnInput[] }
  | { readonly kind: "lines"; readonly lines: readonly string[] };

function listed(document: unknown, name: string): NumberedLine[] {
  if (!Array.isArray(document)) throw wrongUsage(`${placeOf(name)} must be a list of turns. Nothing was added.`);
  return document.map((item, index) => ({ number: index + 1, text: JSON.stringify(item) }));
}

function turnsIn(
  call: MemoryCall,
  lines: readonly NumberedLine[],
  placed: (number: number) => string,
  flags: AddFlags,
): Prepared {
  const read = readTurns(lines, {
    placeOf: placed,
    sessionId: call.globals.session ?? DEFAULT_SESSION_ID,
    timeZone: call.globals.timeZone ?? "UTC",
    speakers: {
      user: flags.userName ?? DEFAULT_SPEAKER_NAMES.user,
      assistant: flags.assistantName ?? DEFAULT_SPEAKER_NAMES.assistant,
    },
  });
  return { kind: "turns", turns: read.map(({ turn }) => turn) };
}

/** A chat without a session of its own is a session by the name of its file. */
function openAiOptions({ globals }: MemoryCall, name: string, flags: AddFlags) {
  return {
    sessionId: globals.session ?? stemOf(name) ?? DEFAULT_SESSION_ID,
    ...(flags.startedAt === undefined ? {} : { startedAt: flags.startedAt }),
    ...(flags.userName === undefined ? {} : { userName: flags.userName }),
    ...(flags.assistantName === undefined ? {} : { assistantName: flags.assistantName }),
  };
}

async function importedLines(
  call: MemoryCall,
  document: unknown,
  format: Foreign,
  name: string,
  flags: AddFlags,
): Promise<Iterable<string>> {
  const importers = await import("../../index.js");
  if (format === "openai") return importers.fromOpenAiMessages(messagesOf(document), openAiOptions(call, name, flags));
  if (format === "mem0") {
    return importers.fromMem0(document, flags.fromUser === undefined ? {} : { userId: flags.fromUser });
  }
  if (format === "langgraph") return importers.fromLangGraphItems(document);
  const stem = stemOf(name);
  return importers.fromLocomo(document, stem === undefined ? {} : { name: stem });
}

async function linesIn(
  call: MemoryCall,
  lines: readonly NumberedLine[],
  format: Foreign,
  name: string,
  flags: AddFlags,
): Promise<Prepared> {
  const document = documentOf(lines, name);
  try {
    return { kind: "lines", lines: [...(await importedLines(call, document, format, name, flags))] };
  } catch (error) {
    throw wrongUsage(`${placeOf(name)}: ${messageOf(error)} Nothing was added.`);
  }
}

/**
 * Reads and checks an input, whatever it is.
 * @throws Failure naming the input, and where there is one the line, that does not fit
 */
export async function prepare(call: MemoryCall, name: string, flags: AddFlags): Promise<Prepared> {
  const lines = await readLines(name, call.terminal);
  const format = flags.format ?? formatOf(lines, name);
  const place = placeOf(name);
  if (format === "jsonl") return turnsIn(call, lines, (line) => `${place}, line ${line}`, flags);
  if (format !== "json") return linesIn(call, lines, format, name, flags);
  return turnsIn(call, listed(documentOf(lines, name), name), (number) => `${place}, turn ${number}`, flags);
}
