import { EntryNotFoundError, InvalidInputError, type LoggedTurn, type ScopedMemory } from "../records/index.js";
import { entryLines, fenced } from "./fence.js";

/** Entries and sessions that a list names; search_memory finds all others. */
const LISTED = 100;
/** Turns in which sessions are looked for, and turns of one session that are given. */
const READ = 1000;
const MAX_NAME = 80;

export const ENTRY_URI = "memory://entries/{id}";
export const SESSION_URI = "memory://sessions/{id}";

/** One resource in a list. */
export interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: "text/plain";
}

function listed(template: string, id: string, name: string): Listed {
  const uri = template.replace("{id}", encodeURIComponent(id));
  return { uri, name: name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name, mimeType: "text/plain" };
}

/** The id in an address. @throws InvalidInputError for one that is not encoded as an address is */
export function idOf(variable: string | readonly string[] | undefined): string {
  try {
    return decodeURIComponent(String(variable ?? ""));
  } catch (cause) {
    throw new InvalidInputError("the id in the address is not percent-encoded.", { cause });
  }
}

export async function listEntries(memory: ScopedMemory): Promise<readonly Listed[]> {
  const { items } = await memory.list({ limit: LISTED });
  return items.map(({ entryId, losslessRestatement }) => listed(ENTRY_URI, entryId, losslessRestatement));
}

/** @throws EntryNotFoundError for an id that this memory does not have */
export async function readEntry(memory: ScopedMemory, id: string): Promise<string> {
  const entry = await memory.get(id);
  if (entry === null) throw new EntryNotFoundError(`no entry ${JSON.stringify(id)} in this memory.`);
  return fenced(entryLines(entry), "");
}

/** The sessions of the last turns, the latest first. */
export async function listSessions(memory: ScopedMemory): Promise<readonly Listed[]> {
  const { items } = await memory.log({ order: "newest", limit: READ });
  const ids = [...new Set(items.map(({ turn }) => turn.sessionId))].slice(0, LISTED);
  return ids.map((id) => listed(SESSION_URI, id, id));
}

function turnLine({ turn }: LoggedTurn): string {
  return `[${turn.timestamp}] ${turn.speaker}: ${turn.content}`;
}

/** The last turns of a session as they were said, oldest first. */
export async function readSession(memory: ScopedMemory, id: string): Promise<string> {
  const { items } = await memory.log({ filter: { sessionId: id }, order: "newest", limit: READ });
  return fenced([...items].reverse().map(turnLine), "Nothing was said in this session.");
}
