/** What a memory gave back for a question, best first. */
export interface Found {
  readonly text: string;
  readonly sourceIds: readonly string[];
}

export const RECALL_AT = Object.freeze([5, 10, 20]);
export const TOKEN_BUDGETS = Object.freeze([500, 1000]);
const PRECISION_AT = 5;
const TOKENS_PER_WORD = 1.33;

/** Numbers of one question by the measure's name. */
export type Scores = { readonly [measure: string]: number };

/** Every turn that was found, once, in the order of finding. */
export function turnsInOrder(found: readonly Found[]): string[] {
  return [...new Set(found.flatMap(({ sourceIds }) => sourceIds))];
}

/** Tokens of a text as the benchmark counts them: words × 1.33. */
export function tokensOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length * TOKENS_PER_WORD;
}

function shareOf(turns: readonly string[], evidence: readonly string[]): number {
  const held = new Set(turns);
  return evidence.filter((id) => held.has(id)).length / evidence.length;
}

/** Share of the evidence among the first k turns that were found. */
export function recallAt(found: readonly Found[], evidence: readonly string[], k: number): number {
  return shareOf(turnsInOrder(found).slice(0, k), evidence);
}

/** Share of the evidence among the hits whose texts, taken in order, fit a budget. */
export function recallWithin(found: readonly Found[], evidence: readonly string[], budget: number): number {
  let left = budget;
  const overflow = found.findIndex(({ text }) => {
    left -= tokensOf(text);
    return left < 0;
  });
  return shareOf(turnsInOrder(overflow < 0 ? found : found.slice(0, overflow)), evidence);
}

function reciprocalRank(found: readonly Found[], evidence: readonly string[]): number {
  const place = turnsInOrder(found).findIndex((id) => evidence.includes(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

function precisionAt(found: readonly Found[], evidence: readonly string[], k: number): number {
  return (
    turnsInOrder(found)
      .slice(0, k)
      .filter((id) => evidence.includes(id)).length / k
  );
}

function sourcesPerHit(found: readonly Found[]): number {
  return found.length === 0 ? 0 : found.reduce((sum, { sourceIds }) => sum + sourceIds.length, 0) / found.length;
}

/** All measures of retrieval for one question. @param evidence at least one id */
export function retrievalScores(found: readonly Found[], evidence: readonly string[]): Scores {
  return {
    ...Object.fromEntries(RECALL_AT.map((k) => [`recall@${k}`, recallAt(found, evidence, k)])),
    ...Object.fromEntries(
      TOKEN_BUDGETS.map((budget) => [`recall@${budget}tok`, recallWithin(found, evidence, budget)]),
    ),
    [`precision@${PRECISION_AT}`]: precisionAt(found, evidence, PRECISION_AT),
    mrr: reciprocalRank(found, evidence),
    sourcesPerHit: sourcesPerHit(found),
  };
}
