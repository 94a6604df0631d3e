import type { MemoryEntry } from "../records/index.js";
import type { EntryRow, ExactScope, MemoryStore } from "../store/index.js";
import { SAME_SPOT, wording } from "./wording.js";

const SAME_SPOT_ENTRIES = 50;

/** Another active entry that the scope may read and that says the same; null when there is none but those excepted. */
export async function activeTwin(
  store: MemoryStore,
  scope: ExactScope,
  { entry, vector }: EntryRow,
  except: readonly string[] = [],
): Promise<MemoryEntry | null> {
  const near = await store.entries.nearest(scope, vector, {
    limit: SAME_SPOT_ENTRIES,
    floor: SAME_SPOT,
    filter: { status: "active" },
  });
  const said = wording(entry.losslessRestatement);
  const others = near.map(({ row }) => row).filter(({ entryId }) => ![entry.entryId, ...except].includes(entryId));
  return others.find((other) => wording(other.losslessRestatement) === said) ?? null;
}
