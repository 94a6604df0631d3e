import type { WindowRecord } from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import type { Owner } from "./owner.js";
import type { WriteServices } from "./services.js";

type Lease = Pick<WindowRecord, "windowId" | "leaseExpiresAt">;

/** The window, if it still exists and this owner holds it. */
export async function heldWindow(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  windowId: string,
): Promise<WindowRecord | undefined> {
  const [window] = await heldWindows(services, owner, scope, [windowId]);
  return window;
}

/** Those of the windows that still exist and that this owner holds, in the order of the ids. */
export async function heldWindows(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  windowIds: readonly string[],
): Promise<readonly WindowRecord[]> {
  const found = await services.store.ledger.list(scope, { ids: windowIds });
  const mine = new Map(found.filter((one) => one.owner === owner.id).map((window) => [window.windowId, window]));
  const windows = windowIds.flatMap((id) => mine.get(id) ?? []);
  const ending = windows.filter((window) => isEnding(services, window));
  if (ending.length === 0 || (await areStillHeld(services, owner, scope, ending))) return windows;
  return heldWindows(services, owner, scope, windowIds);
}

/** Whether windows that were read before still exist and are all this owner's; their items are not read again. */
export async function areStillHeld(
  services: WriteServices,
  owner: Owner,
  scope: ExactScope,
  windows: readonly Lease[],
): Promise<boolean> {
  const ids = windows.map(({ windowId }) => windowId);
  const isSoonOver = windows.some((window) => isEnding(services, window));
  const change = isSoonOver ? { leaseExpiresAt: services.clock() + services.limits.leaseMs } : {};
  return (await services.store.ledger.updateAll(scope, ids, owner.id, change)) === ids.length;
}

/** A lease is renewed when half of it is over, not with every step: each renewal is a commit. */
function isEnding({ clock, limits }: WriteServices, { leaseExpiresAt }: Lease): boolean {
  return leaseExpiresAt - clock() <= limits.leaseMs / 2;
}
