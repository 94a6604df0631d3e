import type { MemoryEntry } from "../records/index.js";
import type { EntryRow, ExactScope, MemoryStore } from "../store/index.js";
import { SAME_SPOT, wording } from "./wording.js";

const SAME_SPOT_ENTRIES = 50;

/** Another active entry that the scope may read and that says the same; null when there is none. */
export async function activeTwin(
  store: MemoryStore,
  scope: ExactScope,
  { entry, vector }: EntryRow,
): Promise<MemoryEntry | null> {
  const near = await store.entries.nearest(scope, vector, {
    limit: SAME_SPOT_ENTRIES,
    floor: SAME_SPOT,
    filter: { status: "active" },
  });
  const said = wording(entry.losslessRestatement);
  const twin = near.find(({ row }) => row.entryId !== entry.entryId && wording(row.losslessRestatement) === said);
  return twin?.row ?? null;
}
