import { emptyUsage, type MemoryEntry } from "../records/index.js";
import type { Decision } from "../stages/consolidate/consolidator.js";
import { createRuleConsolidator } from "../stages/consolidate/rules.js";
import type { MaintainServices } from "./services.js";

/** An entry as if it were new, and one beside which it would be stored. */
export type Pair = readonly [entry: MemoryEntry, known: MemoryEntry];

/** What the rules of consolidation make of each pair by itself. No model is asked: here nothing is new. */
export async function comparedByRules(
  services: Pick<MaintainServices, "logger" | "clock">,
  pairs: readonly Pair[],
): Promise<readonly Decision["op"][]> {
  const items = pairs.map(([item, known]) => ({
    entryId: item.entryId,
    item,
    candidates: [{ entry: known, similarity: 1 }],
  }));
  const run = { usage: emptyUsage(), logger: services.logger, now: services.clock };
  const { decisions } = await createRuleConsolidator().consolidate({ items }, run);
  return decisions.map(({ op }) => op);
}

const CONTRADICTING: ReadonlySet<Decision["op"]> = new Set(["supersede", "superseded_by", "conflict"]);

/** Whether one of two statements ends or denies the other. */
export function isContradiction(op: Decision["op"]): boolean {
  return CONTRADICTING.has(op);
}
