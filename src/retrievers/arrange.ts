import type { Hit } from "../records/index.js";

/** How many hits are kept, and in which order they are given back. */
export interface Arrangement {
  readonly k: number;
  /** Budget of the hits' texts. */
  readonly maxTokens?: number;
  readonly order?: "relevance" | "newest" | "oldest";
}

function withinTokens(hits: readonly Hit[], maxTokens: number | undefined, count: (text: string) => number): Hit[] {
  if (maxTokens === undefined) return [...hits];
  let left = maxTokens;
  const kept: Hit[] = [];
  for (const hit of hits) {
    left -= count(hit.text);
    if (left < 0) break;
    kept.push(hit);
  }
  return kept;
}

function ordered(hits: readonly Hit[], order: Arrangement["order"]): Hit[] {
  if (order === undefined || order === "relevance") return [...hits];
  const sign = order === "newest" ? -1 : 1;
  return [...hits].sort((left, right) => {
    const [first, second] = [left.timestamp ?? "", right.timestamp ?? ""];
    return first === second ? 0 : sign * (first < second ? -1 : 1);
  });
}

/** Ranked hits, cut at k and at the token budget, best first or by time. */
export function arrange(
  ranked: readonly Hit[],
  arrangement: Arrangement,
  countTokens: (text: string) => number,
): Hit[] {
  const kept = withinTokens(ranked.slice(0, arrangement.k), arrangement.maxTokens, countTokens);
  return ordered(kept, arrangement.order);
}
