import { z } from "zod/v4";

/** What a process prints: a mark, and what it is about. */
export type Line = readonly string[];

const lineSchema = z.array(z.string()).min(1);

/** Not buffered: what was printed was acknowledged before the process died. */
export function say(...line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export function readLine(text: string): Line {
  return lineSchema.parse(JSON.parse(text));
}

/** One run of an operation, from its first step to its last: a kill between the two marks hits it. */
export async function marked<T>(operation: string, work: () => Promise<T>): Promise<T> {
  say("began", operation);
  const result = await work();
  say("ended", operation);
  return result;
}
