import {
  type DialogueTurn,
  type Explanation,
  type GuardFinding,
  type MemoryEntry,
  type ReviewRule,
  reviewReasons,
  turnPlace,
  versionsOf,
} from "../records/index.js";
import { checkItem } from "../stages/extract/guards.js";
import { ownsItsPronouns } from "../stages/extract/owned-pronouns.js";
import type { ExactScope, MemoryStore } from "../store/index.js";
import { notFound } from "./entry-editor.js";

/** Ids are unique within a session: those of the entry's own come first. */
async function sourcesOf(store: MemoryStore, scope: ExactScope, entry: MemoryEntry): Promise<readonly DialogueTurn[]> {
  const found = await store.turns.byIds(scope, entry.sourceIds);
  const own = new Set(found.filter((turn) => turn.sessionId === entry.sessionId).map((turn) => turn.dialogueId));
  return found.filter((turn) => turn.sessionId === entry.sessionId || !own.has(turn.dialogueId));
}

/** The turns that the extractor saw, as far as the log holds them: those of the windows, else the sources alone. */
async function seenTurns(store: MemoryStore, scope: ExactScope, entry: MemoryEntry, sources: readonly DialogueTurn[]) {
  const windows = await store.ledger.holding(scope, entry.sessionId, entry.sourceIds);
  const ids = [...new Set(windows.flatMap(({ contextIds, turnIds }) => [...contextIds, ...turnIds]))];
  const around = ids.length === 0 ? [] : await store.turns.find(scope, entry.sessionId, ids);
  const isSource = new Set(sources.map(turnPlace));
  const others = around.filter((turn) => !isSource.has(turnPlace(turn)));
  return [...sources, ...others].sort((left, right) => left.sequence - right.sequence);
}

function guardsOf(entry: MemoryEntry, turns: readonly DialogueTurn[]): readonly GuardFinding[] {
  return checkItem(entry, turns, []).problems.filter(({ code }) => code !== "bare_pronoun" || !ownsItsPronouns(entry));
}

/**
 * Why an entry says what it says: who said it, who made it of the words, what happened since, and whether the turns bear it
 * out.
 * @throws EntryNotFoundError when the scope has no such entry
 */
export async function explain(
  store: MemoryStore,
  scope: ExactScope,
  id: string,
  review: ReviewRule,
): Promise<Explanation> {
  const [found] = await store.entries.histories(scope, [id]);
  if (found === undefined) throw notFound(id);
  const { entry, changes } = found;
  const sources = await sourcesOf(store, scope, entry);
  const held = new Set(sources.map((turn) => turn.dialogueId));
  const operations = versionsOf(entry, changes).map(({ entry: _entry, ...operation }) => operation);
  return {
    entry,
    sources,
    missingSources: entry.sourceIds.filter((source) => !held.has(source)),
    extractedBy: changes[0]?.by ?? "unknown",
    doubt: entry.attributes.doubt ?? null,
    guards: guardsOf(entry, await seenTurns(store, scope, entry, sources)),
    operations,
    review: reviewReasons(entry, review),
  };
}
