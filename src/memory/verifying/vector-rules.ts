import type { ChunkRow, InspectedEntry, InspectedRows, StoreNotes } from "../../store/index.js";
import { type RowRule, suspectsAmong } from "./rule.js";

type Space = StoreNotes["memoryVectors"];

/** What is wrong with a vector; null when nothing is. */
function vectorFault(vector: readonly number[], space: Space): string | null {
  if (space === null) return "no embedder is noted for its vector";
  if (vector.length !== space.dimension) return `its vector has ${vector.length} numbers instead of ${space.dimension}`;
  if (!vector.every(Number.isFinite)) return "its vector holds what is no finite number";
  return vector.every((value) => value === 0) ? "its vector is zero" : null;
}

const REMEDY =
  "No search by meaning finds it: reembed() makes vectors anew where the embedder is another, else update its text.";

const entryVector: RowRule<InspectedEntry> = {
  name: "entry_vector",
  severity: "fault",
  meaning: "Every entry has a vector of the store's length, finite and not zero.",
  remedy: REMEDY,
  suspects: (rows, { notes }) => suspectsAmong(rows, ({ vector }) => vectorFault(vector, notes.memoryVectors)),
};

const embedder: RowRule<InspectedEntry> = {
  name: "entry_embedder",
  severity: "fault",
  meaning: "Every vector was made by the embedder that is noted for the store.",
  remedy: "Its vector cannot be compared with the others: reembed() with another embedder, or update its text.",
  suspects: (rows, { notes }) =>
    suspectsAmong(rows, ({ entry }) => {
      const noted = notes.memoryVectors?.embedder ?? entry.embeddingModel;
      return entry.embeddingModel === noted ? null : `${entry.embeddingModel} made its vector, ${noted} is noted`;
    }),
};

const pieceVector: RowRule<ChunkRow> = {
  name: "piece_vector",
  severity: "fault",
  meaning: "A piece of a turn has a vector as entries have, or waits for one.",
  remedy: REMEDY,
  suspects: (rows, { notes }) =>
    suspectsAmong(rows, ({ vector }) => (vector === null ? null : vectorFault(vector, notes.memoryVectors))),
};

const itemVector: RowRule<InspectedRows["item_vectors"]> = {
  name: "item_vector",
  severity: "fault",
  meaning: "The vector of an item has the length that is noted for items, is finite and not zero.",
  remedy: "No search by meaning finds the item: put it again.",
  suspects: (rows, { notes }) => suspectsAmong(rows, ({ vector }) => vectorFault(vector, notes.itemVectors)),
};

export const ENTRY_VECTOR_RULES: readonly RowRule<InspectedEntry>[] = [entryVector, embedder];
export const PIECE_VECTOR_RULES: readonly RowRule<ChunkRow>[] = [pieceVector];
export const ITEM_VECTOR_RULES: readonly RowRule<InspectedRows["item_vectors"]>[] = [itemVector];
