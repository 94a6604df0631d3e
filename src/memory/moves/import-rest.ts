import type { Fact, ImportCounts, WindowRecord } from "../../records/index.js";
import { factId } from "../../store/index.js";
import type { Batch, ImportContext } from "./import-context.js";
import type { MovedWindow } from "./lines.js";

function recordOf(window: MovedWindow, { scope, redact }: ImportContext): WindowRecord {
  return {
    ...window,
    agentId: scope.agentId === "" ? null : scope.agentId,
    owner: null,
    leaseExpiresAt: 0,
    items: window.items.map((item) => ({ ...item, losslessRestatement: redact(item.losslessRestatement) })),
  };
}

/** The turns of the window that were not forgotten in the scope; null when none was. */
async function leftTurns({ services, scope }: ImportContext, { sessionId, turnIds }: WindowRecord) {
  const buried = await services.store.tombstones.buried(scope, sessionId, turnIds);
  return buried.size === 0 ? null : turnIds.filter((id) => !buried.has(id));
}

/** A window that lost turns is not stored, nor is what was extracted of it: what is left of its turns is cut anew. */
async function cutAnew({ services, scope }: ImportContext, window: WindowRecord, left: readonly string[]) {
  if (window.state === "stored" || left.length === 0) return;
  const turns = await services.store.turns.find(scope, window.sessionId, left);
  if (turns.length > 0) await services.store.inbox.push(scope, turns, ["extract"]);
}

/** Stores windows that the scope does not have. Their turns are in the log. */
export async function importWindows(context: ImportContext, batch: Batch<"window">): Promise<Partial<ImportCounts>> {
  const { store } = context.services;
  const windows = batch.map(({ record }) => recordOf(record.window, context));
  return context.alone(async () => {
    const ids = windows.map(({ windowId }) => windowId);
    const known = new Set((await store.ledger.list(context.scope, { ids })).map(({ windowId }) => windowId));
    const forgotten = await store.tombstones.buriedMade(context.scope, "window", ids);
    const dissolved = await store.tombstones.buriedMade(context.scope, "window", ids);
    const fresh: WindowRecord[] = [];
    let refused = windows.filter(({ windowId }) => !known.has(windowId) && dissolved.has(windowId)).length;
    for (const window of windows.filter(({ windowId }) => !known.has(windowId) && !dissolved.has(windowId))) {
      const left = forgotten.has(window.windowId) ? [] : await leftTurns(context, window);
      if (left === null) fresh.push(window);
      else {
        refused += 1;
        await cutAnew(context, window, left);
      }
    }
    if (fresh.length > 0) await store.ledger.insert(context.scope, fresh);
    return { added: fresh.length, known: windows.length - fresh.length - refused, refused };
  });
}

function redacted({ value, history, ...fact }: Fact, redact: (text: string) => string): Fact {
  return { ...fact, value: redact(value), history: history.map((one) => ({ ...one, value: redact(one.value) })) };
}

/** Stores facts whose session and key the scope does not have. */
export async function importFacts(context: ImportContext, batch: Batch<"fact">): Promise<Partial<ImportCounts>> {
  const { store } = context.services;
  const facts = batch.map(({ record }) => redacted(record.fact, context.redact));
  return context.alone(async () => {
    const missing = await store.facts.missing(context.scope, facts);
    const forgotten = await store.tombstones.buriedMade(context.scope, "fact", missing.map(factId));
    const fresh = missing.filter((fact) => !forgotten.has(factId(fact)));
    if (fresh.length > 0) await store.facts.insert(context.scope, fresh);
    return { added: fresh.length, known: facts.length - missing.length, refused: missing.length - fresh.length };
  });
}
