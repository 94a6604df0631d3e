import {
  type ChangeAuthor,
  type ChangeCause,
  type ExtractedItem,
  firstChange,
  type Metadata,
  type ReviewRule,
} from "../records/index.js";
import type { ConsolidationItem, Decision } from "../stages/consolidate/consolidator.js";
import type { EntryRow } from "../store/index.js";
import { freshEntry, type KeptDays, lexicalColumns } from "./fresh-entry.js";

/** What was decided on some items, and what their rows are made of. */
export interface ApplyInput {
  readonly items: readonly ConsolidationItem[];
  readonly decisions: readonly Decision[];
  /** One vector per item. */
  readonly vectors: readonly (readonly number[])[];
  /** Words around each item's source turns. */
  readonly contextWords: readonly string[];
  /** Metadata of each item's source turns. */
  readonly metadata: readonly Metadata[];
  /**
   * The known rows that decisions may name: of exactly this agent. What all agents share is not changed by one of them. On a
   * replay also the window's own rows, which stay as they are.
   */
  readonly known: readonly EntryRow[];
  /** Ids of entries that all agents share and that decisions of an agent name: what says the same is known to the agent already. */
  readonly shared: ReadonlySet<string>;
  /** Vectors of merged texts that are neither the item's nor the known entry's own. */
  readonly mergedVectors: { readonly [text: string]: readonly number[] };
  /** Session of each item's window. */
  readonly sessionIds: readonly string[];
  readonly now: string;
  readonly embeddingModel: string;
  /** Who made the items of the turns. */
  readonly extractedBy: ChangeAuthor;
  /** Who made each decision. */
  readonly decidedBy: readonly ChangeAuthor[];
  /** Which new entries are held back until they are approved. */
  readonly review: ReviewRule;
  /** After how many days new entries of a kind expire. Default: none does. */
  readonly expireAfterDays?: KeptDays;
}

/** One item on its way into the rows. */
export interface Arrival {
  readonly item: ExtractedItem;
  /** The row that it becomes when it is new. */
  readonly own: EntryRow;
  readonly decision: Decision;
  /** What a decision about a known entry notes in its history. */
  readonly cause: Omit<ChangeCause, "op" | "reason">;
  readonly metadata: Metadata;
}

/** The item at that place, with the row and the history that it gets when it is new. */
export function arrivalOf({ entryId, item }: ConsolidationItem, index: number, input: ApplyInput): Arrival {
  const metadata = input.metadata[index] ?? {};
  const entry = freshEntry(entryId, item, { ...input, sessionId: input.sessionIds[index] ?? "", metadata });
  const { doubt } = item.attributes;
  const made = { at: input.now, turnIds: item.sourceIds, saidAt: item.mentionedAt };
  const origin: ChangeCause = {
    ...made,
    op: "extracted",
    by: input.extractedBy,
    reason: doubt === undefined ? null : `kept with a doubt: ${doubt}`,
    related: [],
  };
  const own: EntryRow = {
    entry,
    vector: input.vectors[index] ?? [],
    contextWords: input.contextWords[index] ?? "",
    ...lexicalColumns(entry),
    changes: [firstChange(origin)],
  };
  return {
    item,
    own,
    decision: input.decisions[index] ?? { op: "add" },
    cause: { ...made, by: input.decidedBy[index] ?? "stage", related: [entryId] },
    metadata,
  };
}
