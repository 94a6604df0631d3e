import {
  ENTRY_STATUSES,
  type ForgetCandidate,
  type ForgetOptions,
  type ForgetReceipt,
  factHitId,
  type Hit,
  type ScopedMemory,
} from "../../records/index.js";
import type { ExactScope, MemoryStore } from "../../store/index.js";

const DEFAULT_CANDIDATES = 20;

/** Ids among these that the scope owns, and may therefore forget. */
async function ownedIds(store: MemoryStore, scope: ExactScope, hits: readonly Hit[]): Promise<ReadonlySet<string>> {
  const ids = hits.map((hit) => hit.id);
  const [entries, turns, facts] = await Promise.all([
    store.entries.owned(scope, { ids, status: ENTRY_STATUSES }),
    store.turns.owned(scope, { ids }),
    store.facts.owned(scope),
  ]);
  return new Set([
    ...entries.map((entry) => entry.entryId),
    ...turns.map((turn) => turn.dialogueId),
    ...facts.map(factHitId),
  ]);
}

function candidateOf({ id, kind, text, score, sessionId, timestamp, sourceIds, entry }: Hit): ForgetCandidate {
  return { id, kind, text, score, sessionId, timestamp, status: entry?.status ?? null, sourceIds };
}

/**
 * The first of two steps: what a query may mean, in every status, so that somebody decides. The counts are those of the
 * candidates themselves; what goes with them depends on which are chosen, and a dry run with their ids tells it.
 */
export async function forgetCandidates(
  memory: Pick<ScopedMemory, "search">,
  store: MemoryStore,
  scope: ExactScope,
  { query = "", k = DEFAULT_CANDIDATES }: ForgetOptions,
): Promise<ForgetReceipt> {
  const history = { filter: { status: ENTRY_STATUSES }, includeArchived: true } as const;
  const found = await Promise.all(
    [
      { k, includeArchived: true },
      { k, ...history },
    ].map((options) => memory.search(query, { ...options, planning: "never" })),
  );
  const hits = [
    ...new Map(found.flatMap((one) => one.hits).map((hit) => [`${hit.kind} ${hit.sessionId} ${hit.id}`, hit])).values(),
  ];
  const owned = await ownedIds(store, scope, hits);
  const mine = hits.filter((hit) => owned.has(hit.id)).sort((left, right) => right.score - left.score);
  const candidates = mine.slice(0, k).map(candidateOf);
  const count = (kind: Hit["kind"]): number => candidates.filter((one) => one.kind === kind).length;
  const removed = { entries: count("entry"), turns: count("turn"), facts: count("fact"), windows: 0 };
  return { removed, purged: false, verified: false, candidates };
}
