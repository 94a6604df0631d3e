import type { ChangeAuthor, MemoryEntry, Rejection } from "../../records/index.js";
import type { StageRun } from "../run.js";

/** Entries that say the same kind of thing of the same subject, in the order of speech. */
export type Cluster = readonly MemoryEntry[];

/** What becomes of one cluster: the text of its pattern and who wrote it, or null when no text could keep all. */
export type Summary = { readonly text: string; readonly by: ChangeAuthor } | null;

/** What became of the clusters of one call. */
export interface CondenseOutput {
  /** One per cluster, in their order. */
  readonly summaries: readonly Summary[];
  /** Texts of a model that were refused. */
  readonly rejections: readonly Rejection[];
}

/**
 * Writes one text for several entries. Numbers, dates, names, polarity and conditions of each must be in it; who runs the stage
 * checks that again, and leaves a cluster alone whose text lacks any.
 */
export interface Maintainer {
  /** Writes the texts. @throws when it could not do its work: the clusters stay as they are, and are tried by the next run */
  condense(input: { readonly clusters: readonly Cluster[] }, run: StageRun): Promise<CondenseOutput>;
}
