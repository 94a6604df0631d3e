import type { MemoryEntry } from "../records/index.js";
import { MEMORY_NOTICE, renderFacts } from "../retrievers/index.js";

/** Stands beside remembered texts that are given as fields: whoever reads them is told what they are. */
export const NOTICE = MEMORY_NOTICE;

/** Remembered texts as a fenced block, one a line: data to read, which cannot close its fence. */
export function fenced(lines: readonly string[], nothing: string): string {
  return lines.length === 0 ? nothing : renderFacts(lines);
}

/** An entry with all that a reader may want to know of it. */
export function entryLines(entry: MemoryEntry): readonly string[] {
  const named = Object.entries({
    kind: entry.kind,
    status: entry.status,
    when: entry.timestamp ?? entry.mentionedAt,
    where: entry.location,
    persons: entry.persons.join(", "),
    things: entry.entities.join(", "),
    topic: entry.topic,
    "said by": entry.speaker,
    session: entry.sessionId,
    turns: entry.sourceIds.join(", "),
  });
  const told = named.filter(([, value]) => value !== null && value !== "");
  return [entry.losslessRestatement, ...told.map(([name, value]) => `${name}: ${value}`)];
}
