import { entryIdOf } from "../../graph/index.js";
import { type ExtractedItem, reviewReasons, type WindowRecord } from "../../records/index.js";
import { type ExactScope, entryKey, scopedIdKey, sharedScope, turnKey } from "../../store/index.js";
import {
  type RowRule,
  type ScopedRow,
  type Suspect,
  scoped,
  suspect,
  suspectsAmong,
  type VerifyContext,
} from "./rule.js";
import { byScope, whereNothingIsForgotten, whereNothingIsImported } from "./under-way.js";

type WindowRow = ScopedRow<WindowRecord>;

const HOUR_MS = 3_600_000;

function turnsOf({ scope, value }: WindowRow) {
  return [...value.turnIds, ...value.contextIds].map((dialogueId) => ({
    scope,
    sessionId: value.sessionId,
    dialogueId,
    key: turnKey(scope, value.sessionId, dialogueId),
  }));
}

const withoutTurn: RowRule<WindowRecord> = {
  name: "window_without_turn",
  severity: "fault",
  meaning: "Every turn that a window names is in the log.",
  remedy: "Turns were lost: restore the folder from a backup.",
  suspects: async (rows, context) => {
    const { inspection } = context.store;
    const windows = scoped(rows);
    const named = windows.flatMap(turnsOf);
    const there = await inspection.existing(
      "turns",
      named.map(({ key }) => key),
    );
    const buried = await inspection.buriedTurns(named.filter(({ key }) => !there.has(key)));
    const isLost = ({ key }: { readonly key: string }): boolean => !there.has(key) && !buried.has(key);
    const left = await whereNothingIsForgotten(
      windows.filter((row) => turnsOf(row).some(isLost)),
      context,
    );
    return left.map((row) => suspect(row, `${turnsOf(row).filter(isLost).length} of its turns are not in the log`));
  },
};

/** An item of a stored window, and the id of the entry that it became when it was new. */
interface PlacedItem {
  readonly row: WindowRow;
  readonly scope: ExactScope;
  readonly id: string;
  readonly item: ExtractedItem;
}

/** Items that must have left something. What is held for a review and says what is known already leaves nothing. */
function itemsOf(row: WindowRow, { review }: VerifyContext): readonly PlacedItem[] {
  if (row.value.state !== "stored") return [];
  return row.value.items.flatMap((item, ordinal) => {
    const { sourceRole, confidence, sourceIds } = item;
    const trust = sourceRole === "system" ? "tool" : sourceRole;
    const asks = reviewReasons({ status: "active", confidence, trust }, review).length > 0;
    if (asks || sourceIds.length === 0) return [];
    return [{ row, scope: row.scope, id: entryIdOf(row.value.windowId, ordinal), item }];
  });
}

/** Items that became no entry and were not forgotten: another entry must stand on their turns. */
async function joinedItems(items: readonly PlacedItem[], { store }: VerifyContext): Promise<readonly PlacedItem[]> {
  const { inspection } = store;
  const there = await inspection.existing(
    "entries",
    items.map(({ scope, id }) => entryKey(scope, id)),
  );
  const missing = items.filter(({ scope, id }) => !there.has(entryKey(scope, id)));
  const buried = await inspection.buriedMade("entry", missing);
  return missing.filter((one) => !buried.has(scopedIdKey(one)));
}

/** Whether an agent may have left something unsaid since all agents know it: that leaves no mark. */
async function mayBeShared({ store }: VerifyContext, scope: ExactScope): Promise<boolean> {
  return scope.agentId !== "" && (await store.entries.size(sharedScope(scope))) > 0;
}

async function unproven(
  items: readonly PlacedItem[],
  scope: ExactScope,
  context: VerifyContext,
): Promise<readonly PlacedItem[]> {
  if (await mayBeShared(context, scope)) return [];
  const { entries } = context.store;
  const ids = [...new Set(items.flatMap(({ item }) => item.sourceIds))];
  const named = new Set((await entries.bySources(scope, ids)).flatMap(({ sourceIds }) => sourceIds));
  const left = items.filter(({ item }) => !item.sourceIds.some((id) => named.has(id)));
  // A former version of an entry may stand on them.
  const found = await Promise.all(left.map(({ item }) => entries.bySources(scope, item.sourceIds)));
  return left.filter((_, index) => found[index]?.length === 0);
}

const withoutEntries: RowRule<WindowRecord> = {
  name: "window_without_entries",
  severity: "fault",
  meaning: "What was extracted from a stored window is an entry, or part of one, or was forgotten.",
  remedy: "Statements were lost, their turns were not: rebuild({ apply: true }) of the scope makes them anew.",
  suspects: async (rows, context) => {
    const joined = await joinedItems(
      scoped(rows).flatMap((row) => itemsOf(row, context)),
      context,
    );
    const lost = new Map<WindowRow, number>();
    for (const [scope, items] of byScope(joined)) {
      for (const { row } of await unproven(items, scope, context)) lost.set(row, (lost.get(row) ?? 0) + 1);
    }
    const left = await whereNothingIsForgotten([...lost.keys()], context);
    return (await whereNothingIsImported(left, context)).map((row) =>
      suspect(row, `${lost.get(row)} statements are gone`),
    );
  },
};

const failed: RowRule<WindowRecord> = {
  name: "window_failed",
  severity: "warning",
  meaning: "Every window is stored in the end.",
  remedy: "Its turns are safe. flush({ retryFailed: true }) tries it again.",
  suspects: (rows) =>
    suspectsAmong(rows, ({ state, attempts, lastError }) =>
      state === "failed" ? `it failed ${attempts} times, last with: ${lastError?.slice(0, 160)}` : null,
    ),
};

/** Why a lease is no good; null when it is. */
export function leaseFault(
  { owner, leaseExpiresAt }: { readonly owner: string; readonly leaseExpiresAt: number },
  { now, isDead }: VerifyContext,
): string | null {
  if (isDead(owner)) return "the process that held it has ended";
  if (leaseExpiresAt <= now) return `its lease ended at ${new Date(leaseExpiresAt).toISOString()}`;
  if (leaseExpiresAt <= now + HOUR_MS) return null;
  return `its lease ends only at ${new Date(leaseExpiresAt).toISOString()}, as if a clock had been ahead`;
}

const lease: RowRule<WindowRecord> = {
  name: "window_left",
  severity: "warning",
  meaning: "Who holds a window works on it.",
  remedy: "Nothing is lost: the next flush after the end of the lease takes it up.",
  suspects: (rows, context): readonly Suspect[] =>
    suspectsAmong(rows, ({ owner, leaseExpiresAt }) =>
      owner === null ? null : leaseFault({ owner, leaseExpiresAt }, context),
    ),
};

export const LEDGER_RULES: readonly RowRule<WindowRecord>[] = [withoutTurn, withoutEntries, failed, lease];
