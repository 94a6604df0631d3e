import { randomUUID } from "node:crypto";
import type { ForgetOptions, ForgetReceipt, Scope } from "../records/index.js";
import type { ExactScope, MemoryStore } from "../store/index.js";
import type { ProofContext } from "./drop-proof.js";
import type { Engine } from "./engine.js";
import { type Doomed, selectDoomed } from "./forgetting/doomed.js";
import { begin, type ForgetPlan, isRemoved, openPlans, planOf, removed } from "./forgetting/plan.js";
import {
  type Forgotten,
  isSigned,
  joinForgotten,
  NOTHING_FORGOTTEN,
  type Purge,
  scopeOf,
  signed,
} from "./forgetting/receipt.js";
import { carryOut, countEntries, prepare } from "./forgetting/removal.js";
import { checkRows } from "./forgetting/verify.js";
import { vectorOf } from "./vector-of.js";

function contextOf({ store, embedder, options }: Engine, scope: ExactScope): ProofContext {
  return {
    store,
    scope,
    now: new Date(options.clock()).toISOString(),
    embed: (text) => vectorOf(text, embedder, store),
  };
}

/** Brings plans of this scope to their end that somebody began and did not finish. The caller holds the scope. */
async function finishOpenPlans(context: ProofContext, isMine: (plan: ForgetPlan) => boolean): Promise<void> {
  for (const plan of await openPlans(context.store)) {
    if (isRemoved(plan) || !isMine(plan)) continue;
    const prepared = await prepare(context, plan);
    await carryOut(context, prepared);
    await removed(context.store, plan);
  }
}

function isSameScope(left: ExactScope, right: ExactScope): boolean {
  return left.userId === right.userId && left.agentId === right.agentId && left.tenantId === right.tenantId;
}

type Selection = Pick<ForgetOptions, "ids" | "filter" | "purge">;

function choose({ owner }: Engine, scope: ExactScope, { ids, filter, purge }: Selection, doomed: Doomed): ForgetPlan {
  const all = ids === undefined && filter === undefined;
  return planOf(doomed, { id: randomUUID(), owner: owner.id, scope, all, purge: purge ?? false });
}

/** Removes what is named of one scope; its bytes stay in old files. */
async function removeWithin(engine: Engine, scope: ExactScope, options: Selection): Promise<Forgotten> {
  const context = contextOf(engine, scope);
  const { store } = engine;
  await finishOpenPlans(context, (plan) => isSameScope(plan.scope, scope));
  const doomed = await selectDoomed(store, scope, options);
  const prepared = await prepare(context, choose(engine, scope, options, doomed));
  await begin(store, prepared.plan);
  const counts = await carryOut(context, prepared);
  await removed(store, prepared.plan);
  const checks = await checkRows(store, prepared.plan);
  return { removed: counts, checks, outside: doomed.outside };
}

/** Rewrites the files, and notes that it was done for every plan that waited for it. */
async function purge(engine: Engine): Promise<Purge> {
  const { store } = engine;
  const waiting = (await openPlans(store)).filter(isRemoved);
  const before = await store.bytes();
  const tables = await engine.scrub();
  for (const { id } of waiting) await store.journal.remove(id);
  return { tables, bytes: { before, after: await store.bytes() } };
}

async function dryRun(engine: Engine, scope: ExactScope, options: ForgetOptions): Promise<ForgetReceipt> {
  const { store } = engine;
  const doomed = await selectDoomed(store, scope, options);
  const entries = await countEntries(contextOf(engine, scope), choose(engine, scope, options, doomed));
  const windows = options.all === true ? (await store.ledger.list(scope)).length : 0;
  const counts = { entries, turns: doomed.turns.length, facts: doomed.facts.length, windows };
  return { removed: counts, purged: false, verified: false };
}

/** Removes what the options name of one scope, with everything that stands on it alone, and gives account of it. */
export async function forgetWithin(engine: Engine, scope: ExactScope, options: ForgetOptions): Promise<ForgetReceipt> {
  if (options.dryRun === true) return dryRun(engine, scope, options);
  return forgetScopes(engine, [scope], options, scopeOf(scope));
}

/**
 * Removes what the options name of several scopes.
 * @param about whose memory the receipt is about
 */
export async function forgetScopes(
  engine: Engine,
  scopes: readonly ExactScope[],
  options: Selection,
  about: Scope,
): Promise<ForgetReceipt> {
  const { store, options: settings } = engine;
  let forgotten = NOTHING_FORGOTTEN;
  for (const scope of scopes) {
    const one = await engine.exclusiveWithCut(scope, () => removeWithin(engine, scope, options));
    forgotten = joinForgotten(forgotten, one);
  }
  // Outside of the scopes' locks: who maintains the store may wait for them.
  const purged = options.purge === true ? await purge(engine) : null;
  const at = new Date(settings.clock()).toISOString();
  return signed(store, forgotten, purged, { id: randomUUID(), at, scope: about });
}

/** Whether this store issued the receipt as it is. */
export function checkReceipt(store: MemoryStore, receipt: ForgetReceipt): Promise<boolean> {
  return isSigned(store, receipt);
}

/** Brings to its end what processes that died in the middle of a `forget` left. */
export async function finishForgets(engine: Engine): Promise<void> {
  const { store, owner } = engine;
  const left = (await openPlans(store)).filter((plan) => owner.isDead(plan.owner));
  for (const plan of left.filter((one) => !isRemoved(one))) {
    const { scope } = plan;
    await engine.exclusiveWithCut(scope, () => finishOpenPlans(contextOf(engine, scope), ({ id }) => id === plan.id));
  }
  if (left.some((plan) => plan.purge)) await purge(engine);
}
