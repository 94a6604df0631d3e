import type { ExactScope, MemoryStore } from "../store/index.js";
import type { Owner } from "./owner.js";

const POLL_MS = 25;
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** The name of the claim that excludes two writers of one scope's entries. */
export function scopeKey(scope: ExactScope): string {
  return JSON.stringify([scope.tenantId, scope.userId, scope.agentId]);
}

/** The name of the claim on the upkeep of the whole store: folding files, rewriting them. */
export const MAINTENANCE_KEY = "maintenance";

/** The name of the claim on a scope's pending turns: one process at a time cuts them into windows. */
export function cutKey(scope: ExactScope): string {
  return `cut:${scopeKey(scope)}`;
}

interface Held {
  readonly release: () => void;
  readonly renewal: NodeJS.Timeout;
}

/**
 * Lets one writer at a time change what a scope knows: within the process by a queue, among processes by a claim with a
 * lease that is renewed while it is held. `lock` and `unlock` may happen in different nodes of a graph, so a lock is
 * known by the token of the run that took it.
 */
export class ScopeLocks {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #held = new Map<string, Held & { readonly name: string }>();

  constructor(
    private readonly store: MemoryStore,
    private readonly owner: Owner,
    private readonly clock: () => number,
  ) {}

  /** Waits until the scope is free, then holds it for `token`. */
  async lock(name: string, token: string, signal?: AbortSignal): Promise<void> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    let release = (): void => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tail = before.then(() => mine);
    this.#tails.set(name, tail);
    void tail.then(() => {
      if (this.#tails.get(name) === tail) this.#tails.delete(name);
    });
    await before;
    try {
      await this.#claim(name, signal);
    } catch (error) {
      release();
      throw error;
    }
    const renewal = setInterval(() => void this.#tryClaim(name).catch(() => false), RENEW_MS);
    renewal.unref();
    this.#held.set(token, { name, release, renewal });
  }

  /** Lets go of what `token` holds; nothing happens when it holds nothing. */
  async unlock(token: string): Promise<void> {
    const held = this.#held.get(token);
    if (held === undefined) return;
    this.#held.delete(token);
    clearInterval(held.renewal);
    try {
      await this.store.claims.release(held.name, this.owner.id);
    } finally {
      held.release();
    }
  }

  /** Runs `work` while holding the scope. */
  async with<T>(name: string, token: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.lock(name, token, signal);
    try {
      return await work();
    } finally {
      await this.unlock(token);
    }
  }

  #tryClaim(name: string): Promise<boolean> {
    const now = this.clock();
    return this.store.claims.acquire(name, {
      owner: this.owner.id,
      now,
      leaseExpiresAt: now + LEASE_MS,
      isDead: this.owner.isDead,
    });
  }

  async #claim(name: string, signal?: AbortSignal): Promise<void> {
    while (!(await this.#tryClaim(name))) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
