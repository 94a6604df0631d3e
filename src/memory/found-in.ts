import type { ReadOutcome } from "./read-outcome.js";

/** Hits at the top that may count as found, and how near the best they must come: the rest was only looked through. */
const COUNTED_HITS = 3;
const NEAR_BEST = 0.75;

/** Ids of the entries that a read made use of: those that its answer cites, or, without one, the first of what it gave. */
export function foundIn({ hits, reply }: Pick<ReadOutcome, "hits" | "reply">): readonly string[] {
  const cited = new Set(reply?.citedIds ?? []);
  const top = hits.slice(0, COUNTED_HITS);
  const best = Math.max(0, ...top.map(({ score }) => score));
  const used =
    reply === null ? top.filter(({ score }) => score >= best * NEAR_BEST) : hits.filter(({ id }) => cited.has(id));
  return [...new Set(used.filter(({ kind }) => kind === "entry").map(({ id }) => id))];
}
