import { randomUUID } from "node:crypto";
import { type ExactScope, exactScope, type MemoryStore, scopeKey } from "../store/index.js";
import type { ScopeLocks } from "./scope-locks.js";

/** Entries whose accesses may wait in memory before they are worth a write. */
const WAITING_ENTRIES = 1_000;

interface Access {
  readonly times: number;
  /** ISO 8601 in UTC. */
  readonly last: string;
}

type Accesses = ReadonlyMap<string, Access>;

interface ScopeAccesses {
  readonly scope: ExactScope;
  readonly entries: Map<string, Access>;
}

/** How often entries were found since it was written last. In memory: a read never waits for a write. */
export class AccessLog {
  readonly #byScope = new Map<string, ScopeAccesses>();
  #waiting = 0;

  note(scope: ExactScope, entryIds: readonly string[], now: string): void {
    this.#add(scope, new Map(entryIds.map((id) => [id, { times: 1, last: now }])));
  }

  /** Takes what waits for a scope, to write it. */
  take(scope: ExactScope): Accesses {
    const { entries } = this.#byScope.get(scopeKey(scope)) ?? { entries: new Map<string, Access>() };
    this.#byScope.delete(scopeKey(scope));
    this.#waiting -= entries.size;
    return entries;
  }

  /** Puts back what could not be written. */
  giveBack(scope: ExactScope, accesses: Accesses): void {
    this.#add(scope, accesses);
  }

  scopes(): readonly ExactScope[] {
    return [...this.#byScope.values()].map(({ scope }) => scope);
  }

  /** True when so much waits that it should be written. */
  get isFull(): boolean {
    return this.#waiting >= WAITING_ENTRIES;
  }

  #add(scope: ExactScope, accesses: Accesses): void {
    const key = scopeKey(scope);
    const { entries } = this.#byScope.get(key) ?? { entries: new Map<string, Access>() };
    for (const [id, { times, last }] of accesses) {
      const known = entries.get(id);
      if (known === undefined) this.#waiting += 1;
      entries.set(id, {
        times: times + (known?.times ?? 0),
        last: known !== undefined && known.last > last ? known.last : last,
      });
    }
    if (entries.size > 0) this.#byScope.set(key, { scope, entries });
  }
}

export interface AccessServices {
  readonly store: MemoryStore;
  readonly locks: ScopeLocks;
  readonly accesses: AccessLog;
}

/** Adds the accesses to those entries that are exactly this scope's; answers their ids. */
async function writeWithin(
  { store, locks }: AccessServices,
  scope: ExactScope,
  accesses: Accesses,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const write = async () => {
    const rows = (await store.entries.rows(scope, [...accesses.keys()])).flatMap((row) => {
      const access = accesses.get(row.entry.entryId);
      if (access === undefined) return [];
      const accessCount = row.entry.accessCount + access.times;
      // No version, and no new `updatedAt`: that somebody read an entry does not change it.
      return [{ ...row, entry: { ...row.entry, accessCount, lastAccessedAt: access.last } }];
    });
    if (rows.length > 0) await store.entries.put(scope, rows);
    return rows.map(({ entry }) => entry.entryId);
  };
  return locks.with(scopeKey(scope), randomUUID(), write, signal);
}

/**
 * Writes what waits for a scope; answers for how many entries. What an agent found among the entries that all agents share is
 * written there.
 */
export async function writeAccesses(
  services: AccessServices,
  scope: ExactScope,
  signal?: AbortSignal,
): Promise<number> {
  const accesses = services.accesses.take(scope);
  if (accesses.size === 0) return 0;
  const left = new Map(accesses);
  try {
    const shared = exactScope({ userId: scope.userId, ...(scope.tenantId === "" ? {} : { tenantId: scope.tenantId }) });
    for (const owner of scope.agentId === "" ? [scope] : [scope, shared]) {
      if (left.size === 0) break;
      for (const id of await writeWithin(services, owner, left, signal)) left.delete(id);
    }
    return accesses.size - left.size;
  } catch (error) {
    services.accesses.giveBack(scope, left);
    throw error;
  }
}
