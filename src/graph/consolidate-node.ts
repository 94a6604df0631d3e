import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  DimensionMismatchError,
  emptyUsage,
  InvalidVectorError,
  type Usage,
  type WindowRecord,
} from "../records/index.js";
import type { Candidate, ConsolidationItem, Decision } from "../stages/consolidate/consolidator.js";
import { type ChunkRow, cosine, type ExactScope, scopeKey } from "../store/index.js";
import { withDeadline } from "./deadline.js";
import { indexPendingTurns } from "./episodic-index.js";
import { giveBack } from "./extract-node.js";
import { freshEntry } from "./fresh-entry.js";
import { heldWindow } from "./held-window.js";
import { entryIdOf } from "./ids.js";
import type { Owner } from "./owner.js";
import { budgetOf, type NodeRuntime, report } from "./progress.js";
import type { WriteServices } from "./services.js";
import type { ConsolidatedWindow, WriteStateType, WriteUpdate } from "./write-state.js";

/** Known entries that an item is compared with. */
const NEIGHBOURS = 8;
/** Cosine from which an entry counts as a neighbour. Static word vectors put unrelated sentences at about 0.3. */
const NEIGHBOUR_FLOOR = 0.4;

async function embed(services: WriteServices, texts: string[], usage: Usage): Promise<number[][]> {
  if (texts.length === 0) return [];
  const vectors = await services.embedder.embedDocuments(texts);
  usage.embeddedTexts += texts.length;
  if (vectors.length !== texts.length) {
    throw new InvalidVectorError(`the embedder answered ${vectors.length} vectors for ${texts.length} texts.`);
  }
  const first = vectors[0];
  if (!Array.isArray(first) || first.length === 0) {
    throw new InvalidVectorError(`the embedder ${services.embedder.name} answered no vector; nothing was stored.`);
  }
  await services.store.ensureDimension(first.length, services.embedder.name);
  return vectors;
}

async function storedCandidates(
  services: WriteServices,
  scope: ExactScope,
  vectors: readonly (readonly number[])[],
  ownIds: ReadonlySet<string>,
): Promise<{ candidates: Candidate[][]; replayed: string[] }> {
  if (vectors.length === 0) return { candidates: [], replayed: [] };
  const replayed = await services.store.entries.byIds(scope, [...ownIds]);
  const found = await services.store.entries.nearestBatch(scope, vectors, {
    limit: NEIGHBOURS + replayed.length,
    floor: NEIGHBOUR_FLOOR,
    filter: { status: ["active", "conflicted", "doubtful"] },
  });
  // On a replay the window's own rows are there already; they are no news to themselves.
  const candidates = found.map((rows) =>
    rows
      .filter(({ row }) => !ownIds.has(row.entryId))
      .slice(0, NEIGHBOURS)
      .map(({ row, score }) => ({ entry: row, similarity: score })),
  );
  return { candidates, replayed: replayed.map((entry) => entry.entryId) };
}

/** Items with their neighbours: what is stored, and the earlier items of the same window. */
async function withCandidates(
  services: WriteServices,
  scope: ExactScope,
  window: WindowRecord,
  vectors: readonly (readonly number[])[],
): Promise<{ items: ConsolidationItem[]; replayed: string[] }> {
  const ids = window.items.map((_, ordinal) => entryIdOf(window.windowId, ordinal));
  const stored = await storedCandidates(services, scope, vectors, new Set(ids));
  const now = new Date(services.clock()).toISOString();
  const draft = { sessionId: window.sessionId, now, embeddingModel: services.embedder.name };
  const own = window.items.map((item, index) => freshEntry(ids[index] ?? "", item, draft));
  const items = window.items.map((item, index) => {
    const earlier = own.slice(0, index).flatMap((entry, position) => {
      const similarity = cosine(vectors[position] ?? [], vectors[index] ?? []);
      return similarity < NEIGHBOUR_FLOOR ? [] : [{ entry, similarity }];
    });
    const candidates = [...(stored.candidates[index] ?? []), ...earlier].sort((a, b) => b.similarity - a.similarity);
    return { entryId: ids[index] ?? "", item, candidates };
  });
  return { items, replayed: stored.replayed };
}

async function mergedVectors(
  services: WriteServices,
  items: readonly ConsolidationItem[],
  decisions: readonly Decision[],
  usage: Usage,
): Promise<{ [text: string]: number[] }> {
  const texts = decisions.flatMap((decision, index) => {
    if (decision.op !== "merge") return [];
    const item = items[index];
    const target = item?.candidates.find(({ entry }) => entry.entryId === decision.target)?.entry;
    const isKnown = [item?.item.losslessRestatement, target?.losslessRestatement].includes(decision.text);
    return isKnown ? [] : [decision.text];
  });
  const vectors = await embed(services, texts, usage);
  return Object.fromEntries(texts.map((text, index) => [text, vectors[index] ?? []]));
}

function chunkVectorsOf(chunks: readonly ChunkRow[], vectors: readonly number[][]): { [chunkId: string]: number[] } {
  return Object.fromEntries(chunks.map((chunk, index) => [chunk.chunkId, vectors[index] ?? []]));
}

/** Raw turns that the next call of a remote embedder serves, too; a local one embeds them as they are indexed. */
async function waitingChunks(
  services: WriteServices,
  scope: ExactScope,
  window: WindowRecord,
): Promise<readonly ChunkRow[]> {
  await indexPendingTurns(services, scope);
  return services.store.chunks.unembedded(scope, window.sessionId, window.turnIds);
}

async function consolidateWindow(
  services: WriteServices,
  scope: ExactScope,
  window: WindowRecord,
  usage: Usage,
  runtime?: NodeRuntime,
): Promise<ConsolidatedWindow> {
  const chunks = services.embedder.isLocal ? [] : await waitingChunks(services, scope, window);
  const texts = window.items.map((item) => item.losslessRestatement);
  // One call of the embedder serves the window's entries and its raw turns.
  const all = await embed(services, [...texts, ...chunks.map((chunk) => chunk.text)], usage);
  const vectors = all.slice(0, texts.length);
  const { items, replayed } = await withCandidates(services, scope, window, vectors);
  const output = await withDeadline(
    "consolidate",
    services.limits.stageTimeoutMs,
    runtime?.signal,
    { usage, logger: services.logger, now: services.clock, ...budgetOf(runtime) },
    (run) => services.consolidator.consolidate({ items }, run),
  );
  const { items: _kept, ...record } = window;
  return {
    window: record,
    items,
    replayed,
    decisions: output.decisions,
    decidedBy: output.decidedBy ?? [],
    vectors,
    chunkVectors: chunkVectorsOf(chunks, all.slice(texts.length)),
    mergedVectors: await mergedVectors(services, items, output.decisions, usage),
    rejections: output.rejections,
  };
}

/** Errors that no further try can mend: the caller must act. */
export function isFinalStoreError(error: unknown): boolean {
  return error instanceof DimensionMismatchError;
}

/**
 * Takes the next window in the order of speech, holds the scope, and decides what becomes of each item. The scope stays
 * held until the store node has written.
 */
export function createConsolidateNode(services: WriteServices, owner: Owner) {
  return async (state: WriteStateType, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { scope, runId } = state;
    const [windowId, ...queue] = state.queue;
    if (windowId === undefined) return { consolidated: null };
    await services.locks.lock(scopeKey(scope), runId, runtime?.signal);
    const usage = emptyUsage();
    try {
      const window = await heldWindow(services, owner, scope, windowId);
      if (window === undefined) {
        await services.locks.unlock(runId);
        return { queue, consolidated: null };
      }
      const consolidated = await consolidateWindow(services, scope, window, usage, runtime);
      return {
        queue,
        consolidated,
        rejections: consolidated.rejections.map((rejection) => ({ ...rejection, windowId })),
        tally: { rejected: consolidated.rejections.length },
        usage,
      };
    } catch (error) {
      await services.locks.unlock(runId);
      if (isGraphBubbleUp(error) || isFinalStoreError(error) || runtime?.signal?.aborted === true) throw error;
      report(runtime, { type: "window_failed", windowId, stage: "consolidate" });
      const failed = await giveBack(services, owner, {
        scope,
        windowId,
        stage: "consolidate",
        state: "extracted",
        error,
      });
      return { ...failed, queue, consolidated: null, usage };
    }
  };
}
