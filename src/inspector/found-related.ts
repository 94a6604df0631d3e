import type { EntryVersion, MemoryEntry, ScopedMemory } from "../index.js";

/** Other entries that had a part in what an entry is: what it replaced, what replaced it, contradicts it, or is summed up in it. */
export async function relatedTo(
  memory: Pick<ScopedMemory, "get">,
  entry: MemoryEntry,
  versions: readonly EntryVersion[],
): Promise<readonly MemoryEntry[]> {
  const named = [
    ...entry.supersedes,
    ...(entry.supersededBy === null ? [] : [entry.supersededBy]),
    ...entry.derivedFrom,
    ...versions.flatMap(({ related }) => related),
  ];
  const ids = [...new Set(named)].filter((id) => id !== entry.entryId);
  const found = await Promise.all(ids.map((id) => memory.get(id)));
  return found.filter((one) => one !== null);
}
