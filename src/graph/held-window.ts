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
  const [window] = await services.store.ledger.list(scope, { ids: [windowId] });
  if (window === undefined || window.owner !== owner.id) return undefined;
  return (await isStillHeld(services, owner, scope, window)) ? window : undefined;
}

/** Whether a window that was read before still exists and is this owner's; its items are not read again. */
export function isStillHeld(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  { windowId, leaseExpiresAt }: Pick<WindowRecord, "windowId" | "leaseExpiresAt">,
): Promise<boolean> {
  const { leaseMs } = services.limits;
  const now = services.clock();
  const change = leaseExpiresAt - now > leaseMs / 2 ? {} : { leaseExpiresAt: now + leaseMs };
  return services.store.ledger.update(scope, windowId, owner.id, change);
}
