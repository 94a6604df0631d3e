import type { Health, OpenWindow, WindowRecord, WindowState } from "../records/index.js";
import type { ExactScope, MemoryStore } from "../store/index.js";

const NOT_STORED = ["pending", "claimed", "extracted", "failed"] as const satisfies WindowState[];
const SHOWN_WINDOWS = 100;

function openWindow(window: WindowRecord): OpenWindow {
  const { windowId, sessionId, turnIds, state, attempts, lastError, createdAt, updatedAt } = window;
  return { windowId, sessionId, turnIds, state, attempts, lastError, createdAt, updatedAt };
}

/** What waits, what failed, and whether searches see everything quickly. */
export async function healthOf(store: MemoryStore, scope: ExactScope, embedder: string): Promise<Health> {
  const [pendingTurns, unindexedTurns, windows, tables, comparable] = await Promise.all([
    store.inbox.count(scope, "extract"),
    store.inbox.count(scope, "index"),
    store.ledger.list(scope, { states: NOT_STORED }),
    store.tableHealth(),
    store.comparesWith(embedder),
  ]);
  return {
    pendingTurns,
    unindexedTurns,
    windows: windows.slice(0, SHOWN_WINDOWS).map(openWindow),
    dimension: store.dimension,
    embedder: store.embedder,
    isComparable: comparable === "yes",
    tables,
  };
}
