import { lexicalColumns } from "../../graph/index.js";
import { decodeNeighbours, encodeNeighbours } from "../../language/index.js";
import { firstChange, type ImportCounts, type MemoryEntry, withChange } from "../../records/index.js";
import type { ChunkRow, EntryRow, EntryWithChanges } from "../../store/index.js";
import { SAME_SPOT, wording } from "../wording.js";
import { embedAll } from "./embed-batches.js";
import type { Batch, ImportContext } from "./import-context.js";
import type { RecordOf } from "./lines.js";

/** Entries that may lie on one spot with an imported one. */
const NEIGHBOURS = 8;

function stored({ entry, changes }: RecordOf<"entry">, { services, redact }: ImportContext): EntryWithChanges {
  const losslessRestatement = redact(entry.losslessRestatement);
  return {
    entry: { ...entry, losslessRestatement, embeddingModel: services.embedder.name },
    changes: changes.map((change) => {
      const former = change.before.losslessRestatement;
      return former === undefined
        ? change
        : { ...change, before: { ...change.before, losslessRestatement: redact(former) } };
    }),
  };
}

/** Every turn that it stands on, or did in a former version. */
export function everySource({ entry, changes }: EntryWithChanges): readonly string[] {
  return [...new Set([...entry.sourceIds, ...changes.flatMap(({ turnIds }) => turnIds)])];
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Ids of entries that were forgotten in the scope, or that stand on a turn that was. */
async function forgottenIds(
  { services, scope }: ImportContext,
  entries: readonly EntryWithChanges[],
): Promise<ReadonlySet<string>> {
  const { tombstones } = services.store;
  const ids = entries.map(({ entry }) => entry.entryId);
  const forgotten = new Set(await tombstones.buriedMade(scope, "entry", ids));
  for (const [sessionId, group] of grouped(entries, ({ entry }) => entry.sessionId)) {
    const buried = await tombstones.buried(scope, sessionId, [...new Set(group.flatMap(everySource))]);
    for (const one of group) if (everySource(one).some((id) => buried.has(id))) forgotten.add(one.entry.entryId);
  }
  return forgotten;
}

async function knownIds({ services, scope }: ImportContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await services.store.entries.histories(scope, ids);
  return new Set(rows.map(({ entry }) => entry.entryId));
}

function contextOf(chunk: ChunkRow): string {
  const around = decodeNeighbours(chunk.contextWords);
  return encodeNeighbours((offset) => around.get(offset)?.join(" ") ?? (offset === 0 ? chunk.words : ""));
}

/** The words around each entry's first source, by entry id; the index of the turns has them. */
async function contextWords({ services, scope }: ImportContext, entries: readonly MemoryEntry[]) {
  const words = new Map<string, string>();
  for (const [sessionId, group] of grouped(entries, (entry) => entry.sessionId)) {
    const ids = [...new Set(group.flatMap(({ sourceIds }) => sourceIds.slice(0, 1)))];
    const chunks = await services.store.chunks.byTurns(scope, sessionId, ids);
    const byTurn = new Map(chunks.map((chunk) => [chunk.dialogueId, chunk]));
    for (const { entryId, sourceIds } of group) {
      const chunk = byTurn.get(sourceIds[0] ?? "");
      if (chunk !== undefined) words.set(entryId, contextOf(chunk));
    }
  }
  return words;
}

async function rowsOf(context: ImportContext, entries: readonly EntryWithChanges[]): Promise<readonly EntryRow[]> {
  const vectors = await embedAll(
    context.services.embedder,
    entries.map(({ entry }) => entry.losslessRestatement),
  );
  const words = await contextWords(
    context,
    entries.map(({ entry }) => entry),
  );
  return entries.map((one, index) => ({
    ...one,
    ...lexicalColumns(one.entry),
    contextWords: words.get(one.entry.entryId) ?? "",
    vector: vectors[index] ?? [],
  }));
}

/** History of the entry that says the same: no two active ones may. */
function underTwin(row: EntryRow, twinId: string, now: string): EntryRow {
  const entry: MemoryEntry = { ...row.entry, status: "superseded", supersededBy: twinId, updatedAt: now };
  const cause = { at: now, by: "rule", turnIds: [], related: [twinId] } as const;
  const changes = withChange(row.changes, row.entry, entry, {
    ...cause,
    op: "superseded",
    reason: "imported, and said by another entry already",
  });
  return {
    ...row,
    entry,
    changes: changes.length > 0 ? changes : [firstChange({ ...cause, op: "stored", reason: null })],
  };
}

/** The rows, those of them as history that say what another active entry says. */
async function withoutTwins(context: ImportContext, rows: readonly EntryRow[]): Promise<readonly EntryRow[]> {
  const { services, scope } = context;
  const now = new Date(services.clock()).toISOString();
  const vectors = rows.map(({ vector }) => vector);
  const options = { limit: NEIGHBOURS, floor: SAME_SPOT, filter: { status: "active" as const } };
  const near = await services.store.entries.nearestBatch(scope, vectors, options);
  return rows.map((row, index) => {
    const said = wording(row.entry.losslessRestatement);
    const twin = near[index]?.find((one) => wording(one.row.losslessRestatement) === said)?.row;
    return twin === undefined || row.entry.status !== "active" ? row : underTwin(row, twin.entryId, now);
  });
}

/**
 * Stores entries that the scope does not have, with their histories; their vectors are made by the store's embedder.
 * @param mayHaveTwins the scope had entries before the import
 */
export async function importEntries(
  context: ImportContext,
  batch: Batch<"entry">,
  mayHaveTwins: boolean,
): Promise<Partial<ImportCounts>> {
  const { services, scope } = context;
  const entries = batch.map(({ record }) => stored(record, context));
  const ids = entries.map(({ entry }) => entry.entryId);
  const [had, gone] = await Promise.all([knownIds(context, ids), forgottenIds(context, entries)]);
  const made = await rowsOf(
    context,
    entries.filter(({ entry: { entryId } }) => !had.has(entryId) && !gone.has(entryId)),
  );
  // The embedder may be slow: nobody waits for it. What came or was forgotten meanwhile is seen here.
  return context.alone(async () => {
    const known = await knownIds(context, ids);
    const forgotten = await forgottenIds(context, entries);
    const fresh = made.filter(({ entry: { entryId } }) => !known.has(entryId) && !forgotten.has(entryId));
    const rows = mayHaveTwins && fresh.length > 0 ? await withoutTwins(context, fresh) : fresh;
    if (rows.length > 0) await services.store.entries.put(scope, rows);
    const refused = ids.filter((id) => forgotten.has(id) && !known.has(id)).length;
    return { added: rows.length, known: ids.length - refused - rows.length, refused };
  });
}
