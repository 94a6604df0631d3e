import type { OpenWindow } from "../store/index.js";
import type { Owner } from "./owner.js";

/** No window that failed is left alone for longer. */
const LONGEST_WAIT_MS = 600_000;

/** How much of what waits in a scope one run of the write graph takes. */
export interface Share {
  /** Windows at most; the oldest come first. */
  readonly windows: number;
  /** Milliseconds for which a window that failed is left alone, twice as long after each further try. */
  readonly retryMs: number;
}

/** Who looks, and when: milliseconds since the epoch. */
export interface Look {
  readonly owner: Owner;
  readonly now: number;
}

/** Whether another process works on the window, as far as can be known. */
export function isHeldByOthers({ owner, leaseExpiresAt }: OpenWindow, look: Look): boolean {
  if (owner === null || owner === look.owner.id) return false;
  return leaseExpiresAt > look.now && !look.owner.isDead(owner);
}

/** When the window may be tried, milliseconds since the epoch. */
export function dueAt({ attempts, changedAt }: OpenWindow, retryMs: number): number {
  return attempts === 0 ? 0 : changedAt + Math.min(retryMs * 2 ** (attempts - 1), LONGEST_WAIT_MS);
}

/**
 * The windows of a scope to take now. None while another process works for that scope: facts are compared with those before
 * them, so one worker at a time goes through the windows of a user, in their order.
 */
export function shareOf(open: readonly OpenWindow[], share: Share, look: Look): readonly string[] {
  if (open.some((window) => isHeldByOthers(window, look))) return [];
  const due = open.filter((window) => dueAt(window, share.retryMs) <= look.now);
  return due.slice(0, share.windows).map(({ windowId }) => windowId);
}
