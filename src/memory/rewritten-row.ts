import { lexicalColumns } from "../graph/index.js";
import type { MemoryEntry } from "../records/index.js";
import type { EntryRow } from "../store/index.js";

/** The row with another state of its entry; its words are made anew, and its vector where the text is another. */
export async function rewrittenRow(
  row: EntryRow,
  entry: MemoryEntry,
  embed: (text: string) => Promise<readonly number[]>,
): Promise<EntryRow> {
  const isReworded = entry.losslessRestatement !== row.entry.losslessRestatement;
  const vector = isReworded ? await embed(entry.losslessRestatement) : row.vector;
  return { ...row, ...lexicalColumns(entry), entry, vector };
}
