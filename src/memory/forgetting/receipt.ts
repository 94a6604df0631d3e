import type { ForgetReceipt, Scope } from "../../records/index.js";
import { canonicalJson, type ExactScope, type MemoryStore, type ScrubbedTable } from "../../store/index.js";
import type { Removed } from "./removal.js";
import { checkFiles } from "./verify.js";

/** What the purge did, for a receipt. */
export interface Purge {
  readonly tables: readonly ScrubbedTable[];
  readonly bytes: { readonly before: number; readonly after: number };
}

/** What was done to one scope. */
export interface Forgotten {
  readonly removed: Removed;
  readonly checks: NonNullable<ForgetReceipt["checks"]>;
  readonly outside: readonly string[];
}

export const NOTHING_FORGOTTEN: Forgotten = {
  removed: { entries: 0, turns: 0, facts: 0, windows: 0 },
  checks: [],
  outside: [],
};

/** Both in one. */
export function joinForgotten(left: Forgotten, right: Forgotten): Forgotten {
  const total = (key: keyof Removed): number => left.removed[key] + right.removed[key];
  const earlier = new Map(left.checks.map(({ what, left: count }) => [what, count]));
  return {
    removed: { entries: total("entries"), turns: total("turns"), facts: total("facts"), windows: total("windows") },
    checks: right.checks.map((check) => ({ ...check, left: check.left + (earlier.get(check.what) ?? 0) })),
    outside: [...left.outside, ...right.outside],
  };
}

/** The scope as a caller gives it. */
export function scopeOf({ userId, agentId, tenantId }: ExactScope): Scope {
  return { userId, ...(agentId === "" ? {} : { agentId }), ...(tenantId === "" ? {} : { tenantId }) };
}

function signedText({ signature: _signature, ...rest }: ForgetReceipt): string {
  return `receipt ${canonicalJson(JSON.parse(JSON.stringify(rest)))}`;
}

/** The receipt with its signature: nobody without the store can make it, or change a word of it. */
export async function signed(
  store: MemoryStore,
  { removed, checks: rows, outside }: Forgotten,
  purge: Purge | null,
  about: { readonly id: string; readonly at: string; readonly scope: Scope },
): Promise<ForgetReceipt> {
  const checks = [...rows, ...(purge === null ? [] : checkFiles(purge.tables))];
  const receipt: ForgetReceipt = {
    removed,
    purged: purge !== null,
    verified: outside.length === 0 && checks.every(({ left }) => left === 0),
    ...about,
    checks,
    ...(purge ?? {}),
    ...(outside.length === 0 ? {} : { outside }),
  };
  return { ...receipt, signature: await store.seal(signedText(receipt)) };
}

/** Whether this store signed the receipt as it is. */
export async function isSigned(store: MemoryStore, receipt: ForgetReceipt): Promise<boolean> {
  return receipt.signature !== undefined && receipt.signature === (await store.seal(signedText(receipt)));
}
