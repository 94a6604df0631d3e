import type { FoundId } from "./row-cache.js";

/**
 * The best of scores by place, best first; of equal ones the row that was written first.
 * @param floor none below it
 */
export function bestOf(
  scores: Float32Array,
  rowIds: readonly number[],
  { limit, floor }: { readonly limit: number; readonly floor: number },
): FoundId[] {
  // Sorting numbers first spares an object for each row that is not among them.
  const last = scores.length > limit ? (scores.toSorted().at(-limit) ?? floor) : floor;
  const found: FoundId[] = [];
  // By index: an iterator would make an object for each of some thousand rows.
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score >= last && score >= floor) found.push({ rowId: rowIds[place] ?? 0, score });
  }
  return found.sort((left, right) => right.score - left.score || left.rowId - right.rowId).slice(0, limit);
}
