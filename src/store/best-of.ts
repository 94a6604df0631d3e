import type { FoundId } from "./row-cache.js";

/** Steps in which scores are counted to tell which are among the best. */
const STEPS = 1024;

/** A score that so many rows reach, and not many more. Counting costs a tenth of sorting some thousand numbers. */
function reachedBy(limit: number, scores: Float32Array, floor: number): number {
  let [least, most, held] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score < floor) continue;
    held += 1;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  if (held <= limit || least === most) return floor;
  const step = (most - least) / STEPS;
  const counts = new Uint32Array(STEPS + 1);
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score < floor) continue;
    const at = Math.floor((score - least) / step);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  let at = STEPS;
  for (let reached = 0; at >= 0; at -= 1) {
    reached += counts[at] ?? 0;
    if (reached >= limit) break;
  }
  // A step lower, so that rounding leaves none out.
  return least + (at - 1) * step;
}

/**
 * The best of scores by place, best first; of equal ones the row that was written first.
 * @param floor none below it
 */
export function bestOf(
  scores: Float32Array,
  rowIds: readonly number[],
  { limit, floor }: { readonly limit: number; readonly floor: number },
): FoundId[] {
  if (limit < 1) return [];
  const least = Math.max(floor, reachedBy(limit, scores, floor));
  const found: FoundId[] = [];
  // By index: an iterator would make an object for each of some thousand rows.
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score >= least) found.push({ rowId: rowIds[place] ?? 0, score });
  }
  return found.sort((left, right) => right.score - left.score || left.rowId - right.rowId).slice(0, limit);
}
