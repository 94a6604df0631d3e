import { type ExactScope, type MemoryStore, scopeKey } from "../store/index.js";
import type { Owner } from "./owner.js";

const POLL_MS = 25;
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** The name of the claim on the upkeep of the whole store: folding files, rewriting them. */
export const MAINTENANCE_KEY = "maintenance";

/** The name of the claim on a scope's pending turns: one process at a time cuts them into windows. */
export function cutKey(scope: ExactScope): string {
  return `cut:${scopeKey(scope)}`;
}

/** How long one run may keep a scope from step to step, and how long the next step may take to begin. */
const PASS_MS = 1_000;

interface Held {
  readonly name: string;
  readonly release: () => void;
  readonly renewal: NodeJS.Timeout;
  readonly since: number;
  /** The end of the queue as it was when this one came; another one now means that somebody waits. */
  readonly tail: Promise<void>;
  /** Lets go when no next step begins. */
  passed?: NodeJS.Timeout;
}

/**
 * Lets one writer at a time change what a scope knows: within the process by a queue, among processes by a claim with a
 * lease that is renewed while it is held. `lock` and `unlock` may happen in different nodes of a graph, so a lock is
 * known by the token of the run that took it.
 */
export class ScopeLocks {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #held = new Map<string, Held>();

  constructor(
    private readonly store: Pick<MemoryStore, "claims">,
    private readonly owner: Owner,
    private readonly clock: () => number,
  ) {}

  /** Waits until the scope is free, then holds it for `token`; at once when it was passed to the same token. */
  async lock(name: string, token: string, signal?: AbortSignal): Promise<void> {
    const passed = this.#held.get(token);
    if (passed?.name === name) {
      clearTimeout(passed.passed);
      return;
    }
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
    this.#held.set(token, { name, release, renewal, tail, since: this.clock() });
  }

  /**
   * Keeps the scope for the next step of the same run, which calls `lock` with the same token: taking a claim anew costs
   * three commits. Lets go instead when somebody of this process waits or it was held for a second, and when no step follows.
   */
  async pass(token: string): Promise<void> {
    const held = this.#held.get(token);
    if (held === undefined) return;
    if (this.#tails.get(held.name) !== held.tail || this.clock() - held.since > PASS_MS) return this.unlock(token);
    held.passed = setTimeout(() => void this.unlock(token).catch(() => {}), PASS_MS);
    held.passed.unref();
  }

  /** Lets go of what `token` holds; nothing happens when it holds nothing. */
  async unlock(token: string): Promise<void> {
    const held = this.#held.get(token);
    if (held === undefined) return;
    this.#held.delete(token);
    clearInterval(held.renewal);
    clearTimeout(held.passed);
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

  /** As `with`, but gives up at once, with undefined, when anybody else holds it. */
  async tryWith<T>(name: string, token: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#tails.has(name)) return undefined;
    // Who waits for a claim looks at the signal after the first try.
    const once = AbortSignal.abort();
    try {
      await this.lock(name, token, once);
    } catch (error) {
      if (error === once.reason) return undefined;
      throw error;
    }
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
