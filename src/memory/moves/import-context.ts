import type { CommonServices } from "../../graph/index.js";
import type { ImportCounts, ImportReceipt } from "../../records/index.js";
import type { ExactScope } from "../../store/index.js";
import type { MovedRecord, RecordOf } from "./lines.js";

/** What an import is done with. */
export interface ImportContext {
  readonly services: CommonServices;
  readonly scope: ExactScope;
  readonly redact: (text: string) => string;
  /** Runs a change of the scope while nobody cuts, consolidates or forgets. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Folds small files when there are many. */
  readonly fold: () => Promise<void>;
}

/** Records of one kind that come one after the other, each with the number of its line. */
export type Batch<T extends MovedRecord["type"]> = readonly { readonly line: number; readonly record: RecordOf<T> }[];

export const NO_COUNTS: ImportCounts = Object.freeze({ added: 0, known: 0, refused: 0, left: 0 });

export function nothingImported(): ImportReceipt {
  return { lines: 0, turns: NO_COUNTS, windows: NO_COUNTS, entries: NO_COUNTS, facts: NO_COUNTS };
}

/** The sum of both. */
export function addCounts(left: ImportCounts, right: Partial<ImportCounts>): ImportCounts {
  const sum = (key: keyof ImportCounts): number => left[key] + (right[key] ?? 0);
  return { added: sum("added"), known: sum("known"), refused: sum("refused"), left: sum("left") };
}
