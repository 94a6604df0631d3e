import type { WindowRecord } from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import type { Owner } from "./owner.js";
import type { WriteServices } from "./services.js";

/**
 * The window, if it still exists and this owner holds it. Its lease is renewed when half of it is over, not with every
 * step: each renewal is a commit.
 */
export async function heldWindow(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  windowId: string,
): Promise<WindowRecord | undefined> {
  const { ledger } = services.store;
  const { leaseMs } = services.limits;
  const [window] = await ledger.list(scope, { ids: [windowId] });
  if (window === undefined || window.owner !== owner.id) return undefined;
  const now = services.clock();
  if (window.leaseExpiresAt - now > leaseMs / 2) return window;
  const isRenewed = await ledger.update(scope, windowId, owner.id, { leaseExpiresAt: now + leaseMs });
  return isRenewed ? window : undefined;
}
