import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { linesOf, type NumberedLine } from "../../memory/moves/line-reader.js";
import { messageOf, wrongUsage } from "../failure.js";
import type { Terminal } from "../terminal.js";

/** The name under which the standard input goes on a command line. */
export const STDIN = "-";

async function ensureFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw wrongUsage(`there is no file ${file}.`);
  if (found.isDirectory()) throw wrongUsage(`${file} is a folder; name a file.`);
}

/** What a file holds, or what is piped in. @throws Failure when there is no such file, or a person sits at the terminal */
export async function openInput(
  name: string,
  { input, signal }: Terminal,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (name !== STDIN) {
    await ensureFile(name);
    return createReadStream(name, { signal });
  }
  if (input === null) throw wrongUsage("nothing is piped in; name a file, or pipe one into the command.");
  return input;
}

/** All lines of a text that are not blank. @throws Failure when it is no UTF-8 */
export async function readLines(name: string, terminal: Terminal): Promise<NumberedLine[]> {
  const source = await openInput(name, terminal);
  const lines: NumberedLine[] = [];
  try {
    for await (const line of linesOf(source)) lines.push(line);
  } catch (error) {
    terminal.signal.throwIfAborted();
    throw wrongUsage(`${placeOf(name)} cannot be read: ${messageOf(error)}`);
  }
  return lines;
}

/** How an input is called in messages. */
export function placeOf(name: string): string {
  return name === STDIN ? "the standard input" : name;
}
