import { indexWords, NEIGHBOUR_REACH } from "../language/index.js";
import { type DialogueTurn, type MemoryEntry, turnPlace } from "../records/index.js";
import type { ChunkRow, ExactScope, MemoryStore } from "../store/index.js";
import { type Line, readForNeighbours, wordsAround } from "./line.js";

/** A session without the turns that leave it. */
export interface Remainder {
  /** What stays, in the order of arrival; words only around the turns that lose a neighbour. */
  readonly line: Line;
  /** Turns that had one of the leaving turns as a neighbour. */
  readonly near: readonly DialogueTurn[];
}

/** Indexes that are within reach of one of these, in a list of this length. */
function reached(indexes: readonly number[], length: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const index of indexes) {
    const last = Math.min(length - 1, index + NEIGHBOUR_REACH);
    for (let other = Math.max(0, index - NEIGHBOUR_REACH); other <= last; other += 1) found.add(other);
  }
  return found;
}

/** @param turns the whole session in the order of arrival, with those that leave it */
export function remainderOf(turns: readonly DialogueTurn[], leaves: (turn: DialogueTurn) => boolean): Remainder {
  const leaving = turns.flatMap((turn, index) => (leaves(turn) ? [index] : []));
  const touched = reached(leaving, turns.length);
  const near = turns.filter((turn, index) => touched.has(index) && !leaves(turn));
  const kept = turns.filter((turn) => !leaves(turn));
  const places = new Map(kept.map((turn, index) => [turnPlace(turn), index]));
  const read = reached(
    near.map((turn) => places.get(turnPlace(turn)) ?? 0),
    kept.length,
  );
  const words = kept.map((turn, index) => (read.has(index) ? indexWords(readForNeighbours(turn)) : ""));
  return { line: { turns: kept, words }, near };
}

/** The chunks of turns that lose a neighbour, without its words. */
export async function chunksWithout(
  store: MemoryStore,
  scope: ExactScope,
  sessionId: string,
  { line, near }: Remainder,
): Promise<readonly ChunkRow[]> {
  const places = new Map(line.turns.map((turn, index) => [turn.dialogueId, index]));
  const rows = await store.chunks.byTurns(
    scope,
    sessionId,
    near.map((turn) => turn.dialogueId),
  );
  const pieces = new Map<string, number>();
  for (const { dialogueId } of rows) pieces.set(dialogueId, (pieces.get(dialogueId) ?? 0) + 1);
  return rows.map((row) => {
    const isPart = (pieces.get(row.dialogueId) ?? 0) > 1;
    return { ...row, contextWords: wordsAround(line, places.get(row.dialogueId) ?? -1, isPart) };
  });
}

/** The words around an entry's first source as they are without the turns that leave; "" when the session has none of it. */
export function wordsAroundEntry({ line }: Remainder, entry: MemoryEntry): string {
  const index = line.turns.findIndex((turn) => turn.dialogueId === entry.sourceIds[0]);
  return index < 0 ? "" : wordsAround(line, index, true);
}
