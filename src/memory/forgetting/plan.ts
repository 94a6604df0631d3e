import type { Fact } from "../../records/index.js";
import type { ExactScope, MemoryStore } from "../../store/index.js";
import type { Doomed } from "./doomed.js";

/** Turns of one session, by their ids. */
export interface SessionTurns {
  readonly sessionId: string;
  readonly ids: readonly string[];
}

/** What a `forget` set out to remove: ids alone, so that whoever finds it can bring it to its end. Plain JSON. */
export interface ForgetPlan {
  readonly id: string;
  /** Which engine carries it out. */
  readonly owner: string;
  readonly scope: ExactScope;
  readonly entryIds: readonly string[];
  readonly turns: readonly SessionTurns[];
  readonly reread: readonly SessionTurns[];
  readonly facts: readonly Pick<Fact, "sessionId" | "key" | "createdAt">[];
  /** Everything of the scope was named: what is left of its ledger goes, too. */
  readonly all: boolean;
  /** The files are to be rewritten. */
  readonly purge: boolean;
}

/** Rows of one statement: more would make it too long. */
const STATEMENT_ROWS = 2_000;

/** The values in parts of which each fits into one statement. */
export function inStatements<T>(values: readonly T[]): readonly (readonly T[])[] {
  const parts = Math.ceil(values.length / STATEMENT_ROWS);
  return Array.from({ length: parts }, (_, part) => values.slice(part * STATEMENT_ROWS, (part + 1) * STATEMENT_ROWS));
}

function sessionsOf(turns: Doomed["turns"]): readonly SessionTurns[] {
  const sessions = new Map<string, string[]>();
  for (const { sessionId, dialogueId } of turns) {
    const ids = sessions.get(sessionId);
    if (ids === undefined) sessions.set(sessionId, [dialogueId]);
    else ids.push(dialogueId);
  }
  return [...sessions].flatMap(([sessionId, ids]) => inStatements(ids).map((part) => ({ sessionId, ids: part })));
}

export function planOf(doomed: Doomed, rest: Pick<ForgetPlan, "id" | "owner" | "scope" | "all" | "purge">): ForgetPlan {
  return {
    ...rest,
    entryIds: doomed.entries.map((entry) => entry.entryId),
    turns: sessionsOf(doomed.turns),
    reread: sessionsOf(doomed.reread),
    facts: doomed.facts.map(({ sessionId, key, createdAt }) => ({ sessionId, key, createdAt })),
  };
}

/** Notes what is about to be removed, before anything is. */
export async function begin(store: MemoryStore, plan: ForgetPlan): Promise<void> {
  await store.journal.write(plan.id, JSON.stringify(plan));
}

/** Everything is removed. Of a purge it stays noted that the files are still to be rewritten, without any id. */
export async function removed(store: MemoryStore, plan: ForgetPlan): Promise<void> {
  if (!plan.purge) return store.journal.remove(plan.id);
  const scope = { tenantId: "", userId: "", agentId: "" };
  const rest: ForgetPlan = { ...plan, scope, entryIds: [], turns: [], reread: [], facts: [], all: false };
  await store.journal.write(plan.id, JSON.stringify(rest));
}

/** What was begun and not ended. */
export async function openPlans(store: MemoryStore): Promise<readonly ForgetPlan[]> {
  return (await store.journal.all()).map(({ text }) => {
    const plan: ForgetPlan = JSON.parse(text);
    return plan;
  });
}

/** Whether only the rewriting of the files is left to do. */
export function isRemoved({ scope }: ForgetPlan): boolean {
  return scope.userId === "";
}
