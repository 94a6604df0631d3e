import type { WindowRecord } from "../records/index.js";

/** Kept as `lastError` with the whole items of a reply that was cut off: they are stored, and the window stays open. */
export const CUT_OFF = "the reply of the model was cut off";

/** Whether the window holds only the whole items of a reply that was cut off. */
export function isCutOff({ lastError }: Pick<WindowRecord, "lastError">): boolean {
  return lastError?.endsWith(CUT_OFF) ?? false;
}
