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
  const rules = createRuleConsolidator();
  const run = { usage: emptyUsage(), logger: services.logger, now: services.clock };
  const ops: Decision["op"][] = [];
  // One call each: within a call, what was decided on one item counts for the next.
  for (const [item, known] of pairs) {
    const candidates = [{ entry: known, similarity: 1 }];
    const { decisions } = await rules.consolidate({ items: [{ entryId: item.entryId, item, candidates }] }, run);
    ops.push(decisions[0]?.op ?? "add");
  }
  return ops;
}

const CONTRADICTING: ReadonlySet<Decision["op"]> = new Set(["supersede", "superseded_by", "conflict"]);

/** Whether one of two statements ends or denies the other. */
export function isContradiction(op: Decision["op"]): boolean {
  return CONTRADICTING.has(op);
}
