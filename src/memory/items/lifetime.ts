import type { ItemRow } from "../../store/index.js";
import type { ItemTtlOptions } from "./options.js";

const MINUTE_MS = 60_000;
const DEFAULT_SWEEP_MINUTES = 60;
/** A read writes the new end only when this part of the time has run: reads in a row then cost one write. */
const REFRESH_AFTER = 0.05;

/** How long items live. */
export class Lifetime {
  readonly #options: ItemTtlOptions;
  #lastSweep: number;

  constructor(options: ItemTtlOptions, now: number) {
    this.#options = options;
    this.#lastSweep = now;
  }

  /** Milliseconds for an item whose put asked for `ttl` minutes; null: for ever. */
  ttlMs(ttl: number | null | undefined): number | null {
    const minutes = ttl === undefined ? (this.#options.defaultTtl ?? null) : ttl;
    return minutes === null ? null : minutes * MINUTE_MS;
  }

  /** The items of a read that are to live anew. */
  toRefresh(read: readonly ItemRow[], now: number): readonly ItemRow[] {
    if (this.#options.refreshOnRead === false) return [];
    return read.filter(({ ttlMs, expiresAt }) => {
      if (ttlMs === null || expiresAt === null) return false;
      return now + ttlMs - Date.parse(expiresAt) >= ttlMs * REFRESH_AFTER;
    });
  }

  /** True once per sweep interval. */
  isSweepDue(now: number): boolean {
    const interval = (this.#options.sweepIntervalMinutes ?? DEFAULT_SWEEP_MINUTES) * MINUTE_MS;
    if (now - this.#lastSweep < interval) return false;
    this.#lastSweep = now;
    return true;
  }
}
