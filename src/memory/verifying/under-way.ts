import { type ExactScope, scopeKey } from "../../store/index.js";
import type { ForgetPlan } from "../forgetting/plan.js";
import { isRemoved, openPlans } from "../forgetting/plan.js";
import { importTask } from "../moves/import-task.js";
import type { ScopedRow, VerifyContext } from "./rule.js";

/** Forgets that were begun and not ended, of which rows are still to be removed. */
export async function plansUnderWay({ store }: VerifyContext): Promise<readonly ForgetPlan[]> {
  return (await openPlans(store)).filter((plan) => !isRemoved(plan));
}

/** Those of the rows whose scope nobody is forgetting something of: there, half of it may be gone. */
export async function whereNothingIsForgotten<T>(
  rows: readonly ScopedRow<T>[],
  context: VerifyContext,
): Promise<readonly ScopedRow<T>[]> {
  if (rows.length === 0) return rows;
  const busy = new Set((await plansUnderWay(context)).map(({ scope }) => scopeKey(scope)));
  return rows.filter(({ scope }) => !busy.has(scopeKey(scope)));
}

/** Those of the rows whose scope nobody imports into: there, what they stand on may still come. */
export async function whereNothingIsImported<T>(
  rows: readonly ScopedRow<T>[],
  { store, now, isDead }: VerifyContext,
): Promise<readonly ScopedRow<T>[]> {
  const scopes = new Map<string, ExactScope>(rows.map(({ scope }) => [scopeKey(scope), scope]));
  const busy = new Set<string>();
  for (const [key, scope] of scopes) {
    if (await store.inspection.isClaimed(importTask(scope), now, isDead)) busy.add(key);
  }
  return rows.filter(({ scope }) => !busy.has(scopeKey(scope)));
}

/** Rows of a table, scope by scope. */
export function byScope<T extends { readonly scope: ExactScope }>(
  rows: readonly T[],
): readonly (readonly [ExactScope, readonly T[]])[] {
  const groups = new Map<string, { scope: ExactScope; rows: T[] }>();
  for (const row of rows) {
    const group = groups.get(scopeKey(row.scope));
    if (group === undefined) groups.set(scopeKey(row.scope), { scope: row.scope, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()].map(({ scope, rows: own }) => [scope, own] as const);
}
