import type { Hit } from "../../src/index.js";

/** The distinct turns behind the hits, in order, stopped at `k` turns. */
export function turnsBehind(hits: readonly Pick<Hit, "sourceIds">[], k: number): string[] {
  return [...new Set(hits.flatMap((hit) => hit.sourceIds))].slice(0, k);
}

/** Share (0 to 1) of the evidence turns among the first `k` turns behind the hits. */
export function evidenceRecall(
  hits: readonly Pick<Hit, "sourceIds">[],
  evidence: readonly string[],
  k: number,
): number {
  const found = new Set(turnsBehind(hits, k));
  const wanted = new Set(evidence);
  return [...wanted].filter((id) => found.has(id)).length / Math.max(1, wanted.size);
}
