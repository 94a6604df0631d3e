import { CURRENT_STATUSES, type MemoryEntry, type WindowRecord } from "../records/index.js";
import type { Candidate, ConsolidationItem } from "../stages/consolidate/consolidator.js";
import { attributeToken } from "../stages/consolidate/index.js";
import { cosine, dot, type ExactScope, type Found, type ReadFilter, unit } from "../store/index.js";
import { freshEntry } from "./fresh-entry.js";
import { entryIdOf } from "./ids.js";
import type { WriteServices } from "./services.js";

/** Known entries that an item is compared with, and earlier items of the same call. */
const NEIGHBOURS = 8;
/** Cosine from which an entry counts as a neighbour. Static word vectors put unrelated sentences at about 0.3. */
const NEIGHBOUR_FLOOR = 0.4;

/** What an item is compared with: what is held for true. */
const KNOWN: ReadFilter = Object.freeze({ status: CURRENT_STATUSES });

/** The items of some windows, in the order of speech. */
export interface ComparedItems {
  readonly items: readonly ConsolidationItem[];
  /** For each item the place of its window. */
  readonly windowOf: readonly number[];
  /** Ids of those that an earlier try stored. */
  readonly replayed: readonly string[];
}

/** One item before it is compared, with the row that it becomes when it is new. */
interface Draft {
  readonly entry: MemoryEntry;
  readonly item: WindowRecord["items"][number];
  readonly window: number;
  readonly vector: readonly number[];
  /** As `vector`, of length 1. */
  readonly direction: Float32Array;
  /** Stands for the attribute that it states, if it states one. */
  readonly token: string | null;
}

/** What is stored on the attribute that each item states, by token: "lives in" and "moved to" are far apart as vectors. */
async function onSameAttribute(
  { store }: WriteServices,
  scope: ExactScope,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, readonly Found<MemoryEntry>[]>> {
  const tokens = [...new Set(drafts.flatMap(({ token }) => token ?? []))];
  if (tokens.length === 0) return new Map();
  const found = await store.entries.matching(scope, tokens.join(" "), {
    limit: NEIGHBOURS * tokens.length,
    boosts: { keywordWords: 1 },
    filter: KNOWN,
  });
  const byToken = new Map<string, Found<MemoryEntry>[]>();
  for (const one of found) {
    const token = attributeToken(one.row.losslessRestatement);
    if (token !== null) byToken.set(token, [...(byToken.get(token) ?? []), one]);
  }
  return byToken;
}

async function storedCandidates(
  services: WriteServices,
  scope: ExactScope,
  drafts: readonly Draft[],
): Promise<{ candidates: Candidate[][]; replayed: string[] }> {
  if (drafts.length === 0) return { candidates: [], replayed: [] };
  const own = new Set(drafts.map(({ entry }) => entry.entryId));
  const replayed = await services.store.entries.byIds(scope, [...own]);
  const [near, onAttribute] = await Promise.all([
    services.store.entries.nearestBatch(
      scope,
      drafts.map(({ vector }) => vector),
      { limit: NEIGHBOURS + replayed.length, floor: NEIGHBOUR_FLOOR, filter: KNOWN },
    ),
    onSameAttribute(services, scope, drafts),
  ]);
  // On a replay the windows' own rows are there already; they are no news to themselves.
  const candidates = drafts.map(({ token, vector }, index) => {
    const nearest = (near[index] ?? []).filter(({ row }) => !own.has(row.entryId)).slice(0, NEIGHBOURS);
    const known = new Set(nearest.map(({ row }) => row.entryId));
    const others = (onAttribute.get(token ?? "") ?? []).filter(
      ({ row }) => !own.has(row.entryId) && !known.has(row.entryId),
    );
    return [
      ...nearest.map(({ row, score }) => ({ entry: row, similarity: score })),
      ...others.map(({ row, index: { vector: other } }) => ({ entry: row, similarity: cosine(vector, other ?? []) })),
    ];
  });
  return { candidates, replayed: replayed.map((entry) => entry.entryId) };
}

function nearestFirst(left: Candidate, right: Candidate): number {
  return right.similarity - left.similarity;
}

/** The nearest of the items before; those of its own window all, since the same words were said there most often. */
function earlierCandidates(drafts: readonly Draft[], index: number): Candidate[] {
  const mine = drafts[index];
  if (mine === undefined) return [];
  const near: (Candidate & { isOwn: boolean })[] = [];
  for (const { entry, direction, window, token } of drafts.slice(0, index)) {
    const similarity = dot(direction, mine.direction);
    const isNear = similarity >= NEIGHBOUR_FLOOR || (token !== null && token === mine.token);
    if (isNear) near.push({ entry, similarity, isOwn: window === mine.window });
  }
  const others = near.filter(({ isOwn }) => !isOwn).sort(nearestFirst);
  return [...near.filter(({ isOwn }) => isOwn), ...others.slice(0, NEIGHBOURS)].map(({ entry, similarity }) => ({
    entry,
    similarity,
  }));
}

/** An item with its place. */
export interface PlacedItem {
  readonly entryId: string;
  readonly item: WindowRecord["items"][number];
  readonly sessionId: string;
  /** Place of its window. */
  readonly window: number;
}

/** The items of the windows without those that were forgotten since they were stored: a replay must not bring them back. */
export async function livingItems(
  services: WriteServices,
  scope: ExactScope,
  windows: readonly WindowRecord[],
): Promise<readonly PlacedItem[]> {
  const placed = windows.flatMap(({ windowId, sessionId, items }, window) =>
    items.map((item, ordinal) => ({ entryId: entryIdOf(windowId, ordinal), item, sessionId, window })),
  );
  const ids = placed.map(({ entryId }) => entryId);
  const buried = await services.store.tombstones.buriedMade(scope, "entry", ids);
  return placed.filter(({ entryId }) => !buried.has(entryId));
}

/** Items with their neighbours: what is stored, and the earlier items of these windows. */
export async function comparedItems(
  services: WriteServices,
  scope: ExactScope,
  living: readonly PlacedItem[],
  vectors: readonly (readonly number[])[],
): Promise<ComparedItems> {
  const now = new Date(services.clock()).toISOString();
  const embeddingModel = services.embedder.name;
  const drafts = living.map(({ entryId, item, sessionId, window }, index) => {
    const vector = vectors[index] ?? [];
    const entry = freshEntry(entryId, item, { sessionId, now, embeddingModel });
    return { entry, item, window, vector, direction: unit(vector), token: attributeToken(item.losslessRestatement) };
  });
  const stored = await storedCandidates(services, scope, drafts);
  const items = drafts.map(({ entry, item }, index) => ({
    entryId: entry.entryId,
    item,
    candidates: [...(stored.candidates[index] ?? []), ...earlierCandidates(drafts, index)].sort(nearestFirst),
  }));
  return { items, windowOf: drafts.map(({ window }) => window), replayed: stored.replayed };
}
