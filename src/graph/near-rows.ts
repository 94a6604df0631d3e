import type { EntryRow, ExactScope, ReadFilter } from "../store/index.js";
import type { MaintainServices } from "./services.js";

/** Active rows of a scope, and which of them lie near each other. */
export interface NearRows {
  /** Those that were asked for. */
  readonly asked: readonly EntryRow[];
  /** Of each, by its id: its neighbours, nearest first. */
  readonly neighbours: ReadonlyMap<string, readonly EntryRow[]>;
}

/**
 * The rows of these ids that are active, and their active neighbours, all of exactly this scope: what all agents share is not
 * changed by a run for one of them. One search of the index for the whole page.
 */
export async function nearRows(
  { store }: Pick<MaintainServices, "store">,
  scope: ExactScope,
  ids: readonly string[],
  options: { readonly limit: number; readonly floor: number },
): Promise<NearRows> {
  const active: ReadFilter = { status: "active" };
  const asked = (await store.entries.rows(scope, ids)).filter(({ entry }) => entry.status === "active");
  const vectors = asked.map(({ vector }) => vector);
  // One more than is wanted: an entry is its own nearest neighbour.
  const search = { limit: options.limit + 1, floor: options.floor, filter: active };
  const found = vectors.length === 0 ? [] : await store.entries.nearestBatch(scope, vectors, search);
  const known = new Map(asked.map((row) => [row.entry.entryId, row]));
  const others = new Set(found.flat().map(({ row }) => row.entryId));
  const missing = [...others].filter((id) => !known.has(id));
  const rest = missing.length === 0 ? [] : await store.entries.rows(scope, missing);
  for (const row of rest) if (row.entry.status === "active") known.set(row.entry.entryId, row);
  const neighbours = asked.map(({ entry }, index): [string, readonly EntryRow[]] => [
    entry.entryId,
    (found[index] ?? [])
      .filter(({ row }) => row.entryId !== entry.entryId)
      .flatMap(({ row }) => known.get(row.entryId) ?? []),
  ]);
  return { asked, neighbours: new Map(neighbours) };
}
