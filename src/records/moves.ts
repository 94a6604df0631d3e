import { SimpleMemError } from "./errors.js";
import type { WriteFailure } from "./results.js";
import type { Usage } from "./usage.js";

/** Options of `export`. */
export interface ExportOptions {
  /** Ends the export with its reason. */
  readonly signal?: AbortSignal;
}

/** Where an export is read from: lines, or pieces of text or bytes cut anywhere, such as those of a file's stream. */
export type ImportSource = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** Options of `import`. */
export interface ImportOptions {
  /**
   * "keep" (default): entries as they are, with their histories. "anew": turns and facts alone; the next `flush` makes entries
   * of the turns and compares them with what the scope knows, in the order of speech.
   */
  readonly entries?: "keep" | "anew";
  /** Told after every batch of lines, with what was done so far. */
  readonly onProgress?: (receipt: ImportReceipt) => void;
  /** Ends the import between two batches; importing the same again goes on. */
  readonly signal?: AbortSignal;
}

/** What became of the records of one kind. */
export interface ImportCounts {
  /** Stored. */
  readonly added: number;
  /** The scope has them already; what it has stays as it is. */
  readonly known: number;
  /** Forgotten in this scope, or standing on what was: not stored. */
  readonly refused: number;
  /** Not taken, since `entries` is "anew". */
  readonly left: number;
}

/** What an import did. Plain JSON. */
export interface ImportReceipt {
  /** Lines that were read. */
  readonly lines: number;
  /** What was said. */
  readonly turns: ImportCounts;
  /** Where turns were cut, and what was extracted of them. */
  readonly windows: ImportCounts;
  /** What was made of them. */
  readonly entries: ImportCounts;
  /** Exact key-values. */
  readonly facts: ImportCounts;
}

/** Options of `reembed`. */
export interface ReembedOptions {
  /** Told after every page of rows: how many of how many are done. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Ends it; calling it again goes on where it ended. */
  readonly signal?: AbortSignal;
}

/** What `reembed` did. Plain JSON. */
export interface ReembedReport {
  /** The embedder whose vectors the store has now. */
  readonly embedder: string;
  /** The one whose it had; null when it had none. */
  readonly formerEmbedder: string | null;
  /** Entries of the store, of all users. */
  readonly entries: number;
  /** Pieces of turns that are searched as they are, of all users. */
  readonly turnPieces: number;
  /** Texts that this call embedded; 0 when the vectors were the embedder's own already. */
  readonly embeddedTexts: number;
}

/** A question, and the turns that prove its answer. */
export interface RebuildQuestion {
  /** What is asked. */
  readonly question: string;
  /** Ids of turns, as given to `add`. */
  readonly evidence: readonly string[];
}

/** What became of the entries of a scope when a rebuild was applied. Plain JSON. */
export interface RebuildApplied {
  /** Entries that were written: statements which only the new options make. */
  readonly added: number;
  /** Entries that the new options make no more: archived, with a version in their history that says so. */
  readonly retired: number;
  /** Entries with the same words, of which the new options say another status or what took whose place. */
  readonly changed: number;
  /** Current entries that stay as they are, those that a person corrected or pinned among them. */
  readonly kept: number;
  /** Statements that were not written: their turns prove what was corrected by hand, forgotten, or is still being extracted. */
  readonly held: number;
}

/** What the entries are as they would be made today, beside those of the scope. Plain JSON. */
export interface RebuildReport {
  /** Turns that were read again. */
  readonly turns: number;
  /** Current entries of the scope, and those that were made anew. */
  readonly entries: { readonly now: number; readonly anew: number };
  /** Statements that only the new ones make. */
  readonly added: readonly string[];
  /** Statements that only the present ones make, those that were corrected by hand among them. */
  readonly lost: readonly string[];
  /** Statements whose turns are the same and whose words are not. */
  readonly changed: readonly { readonly now: string; readonly anew: string }[];
  /** Statements that both make in the same words. */
  readonly same: number;
  /** Share (0 to 1) of the evidence that is among the first hits, before and after; null without questions. */
  readonly recall: { readonly now: number; readonly anew: number } | null;
  /** Windows that could not be processed. */
  readonly failures: readonly WriteFailure[];
  /** What it cost to make them. */
  readonly usage: Usage;
  /** What was changed in the scope; null unless `apply` was true. */
  readonly applied: RebuildApplied | null;
}

/**
 * Something that is imported has not the form that it must have. Of an export, the lines before are stored, and importing it
 * again once it is mended stores the rest.
 */
export class ImportError extends SimpleMemError {
  override readonly name = "ImportError";

  constructor(
    message: string,
    /** Number of the line, from 1; null where it is not a matter of one line. */
    readonly line: number | null,
    options?: ErrorOptions,
  ) {
    super(line === null ? message : `line ${line}: ${message}`, options);
  }
}
