import { randomUUID } from "node:crypto";
import type { Upkeep } from "../records/index.js";
import { createStep } from "./maintain-step.js";
import { MAINTENANCE_KEY } from "./scope-locks.js";
import type { MaintainServices } from "./services.js";

/** Folds small files and unindexed rows, drops every old version, and keeps the index of the vectors; one process at a time. */
export function compactTables(
  { store, locks, rule }: Pick<MaintainServices, "store" | "locks" | "rule">,
  signal?: AbortSignal,
): Promise<Upkeep> {
  const fold = () => store.optimize({ keepMs: 0, vectorIndexFrom: rule.vectorIndexFrom });
  return locks.with(MAINTENANCE_KEY, randomUUID(), fold, signal);
}

export function createCompactNode(services: MaintainServices) {
  return createStep("compact", services, async ({ upkeep }, job) => {
    if (upkeep) job.upkeepDone = await compactTables(services, job.runtime?.signal);
  });
}
