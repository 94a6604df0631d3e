import { entryIdOf } from "../../graph/index.js";
import type { ExtractedItem, WindowRecord } from "../../records/index.js";
import type { ExactScope, MemoryStore } from "../../store/index.js";
import type { ForgetPlan } from "./plan.js";

/** An item without anything that was said; it holds its place, since the ids of its siblings are made of theirs. */
const NOTHING_SAID = {
  losslessRestatement: "",
  keywords: [],
  timestamp: null,
  timestampEnd: null,
  location: null,
  persons: [],
  entities: [],
  topic: null,
  attributes: {},
  sourceIds: [],
} satisfies Partial<ExtractedItem>;

/** What the ledger holds of one session when a forget begins. */
export interface SessionLedger {
  readonly sessionId: string;
  /** Turns that go. */
  readonly gone: ReadonlySet<string>;
  /** Turns that stay, and are read once more. */
  readonly reread: ReadonlySet<string>;
  /** Turns that prove entries which go, though the turns stay. */
  readonly touched: readonly string[];
}

interface LedgerContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  readonly plan: ForgetPlan;
  /** Texts of the entries that go, in every version. */
  readonly texts: ReadonlySet<string>;
}

/** Whether a window that is not stored yet may bring back what it was read with. */
function mayBringBack({ state, turnIds, contextIds }: WindowRecord, gone: ReadonlySet<string>): boolean {
  return state !== "stored" && [...turnIds, ...contextIds].some((id) => gone.has(id));
}

/** The window is cut anew without the turns that go; who is reading it finds that it is gone. */
async function dissolve({ store, scope }: LedgerContext, window: WindowRecord, gone: ReadonlySet<string>) {
  const rest = window.turnIds.filter((id) => !gone.has(id));
  const turns = rest.length === 0 ? [] : await store.turns.find(scope, window.sessionId, rest);
  if (turns.length > 0) await store.inbox.push(scope, turns, ["extract"]);
  await removeWindow(store, scope, window);
}

/** An export from before must not bring it back: its turns would not be read once more. */
async function removeWindow(store: MemoryStore, scope: ExactScope, { windowId }: WindowRecord): Promise<void> {
  await store.tombstones.buryMade(scope, "window", [windowId]);
  await store.ledger.remove(scope, [windowId]);
}

/** Items that became, or were joined with, an entry that goes. Its id is buried, so that a replay leaves it out. */
async function blankItems({ store, scope, plan, texts }: LedgerContext, { windowId, items }: WindowRecord) {
  const doomed = new Set(plan.entryIds);
  const blank = new Set<number>();
  items.forEach((item, ordinal) => {
    if (doomed.has(entryIdOf(windowId, ordinal)) || texts.has(item.losslessRestatement)) blank.add(ordinal);
  });
  if (blank.size === 0) return;
  await store.tombstones.buryMade(
    scope,
    "entry",
    [...blank].map((ordinal) => entryIdOf(windowId, ordinal)),
  );
  const left = items.map((item, ordinal) => (blank.has(ordinal) ? { ...item, ...NOTHING_SAID } : item));
  await store.ledger.replaceItems(scope, windowId, left);
}

/**
 * Takes what is forgotten out of the windows of one session: those that are not stored yet are cut anew or lose their items,
 * of those that are stored no item is needed any more.
 * @returns how many windows went
 */
export async function clearLedger(context: LedgerContext, session: SessionLedger): Promise<number> {
  const { store, scope } = context;
  const { sessionId, gone, reread, touched } = session;
  const named = [...new Set([...gone, ...reread, ...touched])];
  let count = 0;
  for (const window of await store.ledger.citing(scope, sessionId, named)) {
    const left = window.turnIds.filter((id) => !gone.has(id) && !reread.has(id));
    if (mayBringBack(window, gone)) {
      await dissolve(context, window, gone);
      count += 1;
    } else if (window.state !== "stored") await blankItems(context, window);
    else if (left.length > 0) await store.ledger.replaceItems(scope, window.windowId, []);
    else {
      await removeWindow(store, scope, window);
      count += 1;
    }
  }
  await store.ledger.strike(scope, sessionId, [...gone]);
  // A turn that is read once more must be in no window, or it would not be cut again.
  await strikeReread(context, sessionId, reread);
  return count;
}

async function strikeReread({ store, scope }: LedgerContext, sessionId: string, reread: ReadonlySet<string>) {
  const turns = await store.turns.find(scope, sessionId, [...reread]);
  await store.ledger.strike(scope, sessionId, [...reread]);
  if (turns.length > 0) await store.inbox.push(scope, turns, ["extract"]);
}
