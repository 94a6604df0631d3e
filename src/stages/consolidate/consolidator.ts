import type { ChangeAuthor, ExtractedItem, MemoryEntry, Rejection } from "../../records/index.js";
import type { StageRun } from "../run.js";

/** A known entry near the new item. Earlier items of the same batch are candidates of the later ones. */
export interface Candidate {
  /** What is known. */
  readonly entry: MemoryEntry;
  /** Cosine of the two vectors, -1 to 1. */
  readonly similarity: number;
}

/** One new item, and what is known near it. */
export interface ConsolidationItem {
  /** Id that the item gets when it becomes a row. */
  readonly entryId: string;
  /** What was extracted. */
  readonly item: ExtractedItem;
  /** Nearest first. */
  readonly candidates: readonly Candidate[];
}

/** What becomes of one item. `target` is the entryId of one of its candidates. */
export type Decision =
  | { readonly op: "add" }
  /** The same fact: the known entry gets the new source ids. */
  | { readonly op: "skip"; readonly target: string }
  /** One says more than the other: the known entry takes this text and the union of everything else. */
  | { readonly op: "merge"; readonly target: string; readonly text: string }
  /** Newer words on the same subject and attribute: the item is added, the known entry kept as history. */
  | { readonly op: "supersede"; readonly target: string }
  /** Older words than what is known: the item is added as history of the known entry. */
  | { readonly op: "superseded_by"; readonly target: string }
  /** The known entry is a plan, and the item tells that it was carried out: the item is added, the plan is done. */
  | { readonly op: "done"; readonly target: string }
  /** They contradict each other and cannot be ordered: both are kept and marked. */
  | { readonly op: "conflict"; readonly target: string };

/** What becomes of the items of one call. */
export interface ConsolidateOutput {
  /** One decision per item, in the order of the items. */
  readonly decisions: readonly Decision[];
  /** Who made each decision, for the histories. Absent: a stage of the caller's own. */
  readonly decidedBy?: readonly ChangeAuthor[];
  /** Operations that the model asked for and that were refused. */
  readonly rejections: readonly Rejection[];
}

/** An entry that became history, and what stands near it. */
export interface LostGround {
  /** What was held for true, and is no more. */
  readonly premise: MemoryEntry;
  /** Entries that were said before that, nearest first. */
  readonly neighbours: readonly MemoryEntry[];
}

/** Compares new items, in the order of speech, with what is known. Deletes nothing. */
export interface Consolidator {
  /**
   * Windows that wait together are handed over in one call until they hold so many items: what is read and written for one
   * window costs as much as for ten. Absent: one window a call, so that a model's prompt stays short.
   */
  readonly itemsAtOnce?: number;
  /** Decides on each item. @throws when it could not do its work: the window stays, and is tried again */
  consolidate(input: { readonly items: readonly ConsolidationItem[] }, run: StageRun): Promise<ConsolidateOutput>;
  /** The neighbours that rest on what became history, and are in doubt now. Absent: none. */
  inDoubt?(lost: LostGround): readonly MemoryEntry[];
}
