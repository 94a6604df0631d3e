import { maintainedRow } from "../../graph/index.js";
import { EntryConflictError, type MemoryEntry, type RebuildApplied } from "../../records/index.js";
import {
  type EntryRow,
  type EntryWithChanges,
  type ExactScope,
  type MemoryStore,
  sharedScope,
} from "../../store/index.js";
import type { Engine } from "../engine.js";
import { vectorOf } from "../vector-of.js";
import { wording } from "../wording.js";
import { embedAll } from "./embed-batches.js";
import { openTurns, settledTurns } from "./open-turns.js";
import { STANDING } from "./switch-matches.js";
import { type Fate, planSwitch, type SwitchPlan } from "./switch-plan.js";

/** Rows that are read at once. */
const PAGE = 1_000;

async function everyEntry(store: MemoryStore, scope: ExactScope): Promise<readonly EntryWithChanges[]> {
  const entries: EntryWithChanges[] = [];
  for await (const page of store.entries.pages(scope, PAGE)) entries.push(...page);
  return entries;
}

async function rowsOf(store: MemoryStore, scope: ExactScope, ids: readonly string[]): Promise<readonly EntryRow[]> {
  const rows: EntryRow[] = [];
  for (let start = 0; start < ids.length; start += PAGE) {
    rows.push(...(await store.entries.rows(scope, ids.slice(start, start + PAGE))));
  }
  return rows;
}

/** What was made anew, with vectors of the store's own embedder. */
async function madeAnew(engine: Engine, other: Engine, scope: ExactScope): Promise<readonly EntryRow[]> {
  const entries = await everyEntry(other.store, scope);
  const rows = await rowsOf(
    other.store,
    scope,
    entries.map(({ entry }) => entry.entryId),
  );
  const { name } = engine.embedder;
  if (other.embedder.name === name) return rows;
  const texts = rows.map(({ entry }) => entry.losslessRestatement);
  const vectors = await embedAll(engine.embedder, texts);
  return rows.map((row, index) => ({
    ...row,
    vector: vectors[index] ?? [],
    entry: { ...row.entry, embeddingModel: name },
  }));
}

async function saidElsewhere(store: MemoryStore, scope: ExactScope): Promise<ReadonlySet<string>> {
  if (scope.agentId === "") return new Set();
  const shared = await store.entries.owned(sharedScope(scope), { status: "active" });
  return new Set(shared.map(({ losslessRestatement }) => wording(losslessRestatement)));
}

/** A turn that is gone may have given words to what was made of others, so that nothing of it can be used. */
async function checkNothingForgotten(store: MemoryStore, scope: ExactScope, read: ReadonlySet<string>): Promise<void> {
  const there = new Set<string>();
  for await (const turns of store.turns.pages(scope, PAGE)) for (const turn of turns) there.add(turn.dialogueId);
  if ([...read].every((id) => there.has(id))) return;
  throw new EntryConflictError(
    "turns of this scope were forgotten while it was rebuilt; nothing was changed. Call rebuild again.",
    [],
  );
}

/** The row as it is written: known from now on, for before the switch others were believed. */
function arriving(row: EntryRow, { added, idOf }: SwitchPlan, now: string): EntryRow {
  const { entry } = row;
  const known = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => idOf.get(id) ?? []);
  const changes = row.changes.map((change, index) => {
    const before =
      change.before.supersedes === undefined
        ? change.before
        : { ...change.before, supersedes: known(change.before.supersedes) };
    const mapped = { ...change, before, related: known(change.related) };
    return index === 0 ? { ...mapped, at: now, saidAt: now, reason: change.reason ?? "a rebuild" } : mapped;
  });
  const state: MemoryEntry = {
    ...entry,
    entryId: added.get(entry.entryId) ?? entry.entryId,
    supersedes: known(entry.supersedes),
    supersededBy: entry.supersededBy === null ? null : (idOf.get(entry.supersededBy) ?? null),
    createdAt: now,
    updatedAt: now,
  };
  return { ...row, entry: state, changes };
}

async function changedRows(
  { store }: Engine,
  scope: ExactScope,
  fates: ReadonlyMap<string, Fate>,
  now: string,
): Promise<readonly EntryRow[]> {
  const rows = await rowsOf(store, scope, [...fates.keys()]);
  return rows.flatMap((row) => {
    const fate = fates.get(row.entry.entryId);
    if (fate === undefined) return [];
    const { change, reason, related } = fate;
    return [maintainedRow(row, change, { op: "rebuilt", reason, related }, now)];
  });
}

/** One call of the store: one commit for up to 5,000 rows, and of more the new ones first. */
async function write(engine: Engine, scope: ExactScope, anew: readonly EntryRow[], plan: SwitchPlan): Promise<void> {
  const now = new Date(engine.options.clock()).toISOString();
  const added = anew.filter(({ entry }) => plan.added.has(entry.entryId)).map((row) => arriving(row, plan, now));
  const changed = await changedRows(engine, scope, plan.changed, now);
  const retired = await changedRows(engine, scope, plan.retired, now);
  const rows = [...added, ...changed, ...retired];
  if (rows.length > 0) await engine.store.entries.put(scope, rows);
}

/**
 * Puts the entries that another engine made of a scope's turns in the place of the present ones, while nobody changes the scope.
 * @param read ids of the turns that they were made of
 * @throws EntryConflictError when one of these turns was forgotten meanwhile; nothing is changed then
 */
export async function switchOver(
  engine: Engine,
  other: Engine,
  scope: ExactScope,
  read: ReadonlySet<string>,
): Promise<RebuildApplied> {
  const { store } = engine;
  await vectorOf("dimension", engine.embedder, store);
  const anew = await madeAnew(engine, other, scope);
  const extracted = await settledTurns(other.store, scope);
  return engine.exclusiveWithCut(scope, async () => {
    await checkNothingForgotten(store, scope, read);
    const known = await everyEntry(store, scope);
    const settled = await openTurns(store, scope, known);
    const open = new Set([...settled].filter((id) => read.has(id) && extracted.has(id)));
    const plan = planSwitch({ known, anew, open, saidElsewhere: await saidElsewhere(store, scope) });
    await write(engine, scope, anew, plan);
    const standing = known.filter(({ entry }) => STANDING.has(entry.status));
    const touched = standing.filter(({ entry: { entryId } }) => plan.retired.has(entryId) || plan.changed.has(entryId));
    return {
      added: plan.added.size,
      retired: plan.retired.size,
      changed: plan.changed.size,
      kept: standing.length - touched.length,
      held: plan.held,
    };
  });
}
