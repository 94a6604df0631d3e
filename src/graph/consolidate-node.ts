import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  DimensionMismatchError,
  emptyUsage,
  InvalidVectorError,
  type Rejection,
  type Usage,
  type WindowRecord,
} from "../records/index.js";
import type { ConsolidationItem, Decision } from "../stages/consolidate/consolidator.js";
import { type ExactScope, scopeKey } from "../store/index.js";
import { comparedItems, livingItems } from "./consolidation-items.js";
import { withDeadline } from "./deadline.js";
import { indexPendingTurns, type Piece, piecesOf } from "./episodic-index.js";
import { afterFailure } from "./give-back.js";
import { heldWindows } from "./held-window.js";
import type { Owner } from "./owner.js";
import { budgetOf, type NodeRuntime } from "./progress.js";
import type { WriteServices } from "./services.js";
import { turnsOfAll } from "./window-turns.js";
import type { ConsolidatedWindows, WriteStateType, WriteUpdate } from "./write-state.js";

/** Windows that are taken together at most: the next in line for the scope waits no longer than for them. */
const WINDOWS_AT_ONCE = 16;

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

function vectorsByChunk(pieces: readonly Piece[], vectors: readonly number[][]): { [chunkId: string]: number[] } {
  return Object.fromEntries(pieces.map(({ chunkId }, index) => [chunkId, vectors[index] ?? []]));
}

/**
 * Raw turns that the next call of a remote embedder serves, too; a local one embeds them as they are indexed. Those of a new store
 * cannot be indexed before that call told how long its vectors are, and are indexed when they are written.
 */
async function waitingPieces(
  services: WriteServices,
  scope: ExactScope,
  windows: readonly WindowRecord[],
): Promise<readonly Piece[]> {
  if (services.embedder.isLocal) return [];
  if (services.store.dimension === null) {
    const read = await turnsOfAll(services, scope, windows);
    return read.flatMap(({ turns }) => turns.flatMap((turn) => piecesOf(scope, turn)));
  }
  await indexPendingTurns(services, scope);
  const waiting = windows.map(({ sessionId, turnIds }) => services.store.chunks.unembedded(scope, sessionId, turnIds));
  return (await Promise.all(waiting)).flat();
}

async function consolidateWindows(
  services: WriteServices,
  scope: ExactScope,
  windows: readonly WindowRecord[],
  usage: Usage,
  runtime?: NodeRuntime,
): Promise<ConsolidatedWindows> {
  const living = await livingItems(services, scope, windows);
  const texts = living.map(({ item }) => item.losslessRestatement);
  const pieces = await waitingPieces(services, scope, windows);
  // One call of the embedder serves the windows' entries and their raw turns.
  const all = await embed(services, [...texts, ...pieces.map(({ text }) => text)], usage);
  const vectors = all.slice(0, texts.length);
  const { items, windowOf, replayed } = await comparedItems(services, scope, living, vectors);
  const output = await withDeadline(
    "consolidate",
    services.limits.stageTimeoutMs,
    runtime?.signal,
    { usage, logger: services.logger, now: services.clock, ...budgetOf(runtime) },
    (run) => services.consolidator.consolidate({ items }, run),
  );
  return {
    windows: windows.map(({ items: _kept, ...record }) => record),
    items,
    windowOf,
    replayed,
    decisions: output.decisions,
    decidedBy: output.decidedBy ?? [],
    vectors,
    chunkVectors: vectorsByChunk(pieces, all.slice(texts.length)),
    mergedVectors: await mergedVectors(services, items, output.decisions, usage),
    rejections: output.rejections,
  };
}

/** The next windows of the queue that this owner still holds, as many as the consolidator takes at once. */
async function nextWindows(
  services: WriteServices,
  owner: Owner,
  { scope, queue, alone }: WriteStateType,
): Promise<{ windows: readonly WindowRecord[]; queue: readonly string[] }> {
  const atOnce = alone > 0 ? 0 : (services.consolidator.itemsAtOnce ?? 0);
  const asked = queue.slice(0, atOnce > 0 ? WINDOWS_AT_ONCE : 1);
  const held = await heldWindows(services, owner, scope, asked);
  let items = 0;
  const windows = held.filter((window, index) => {
    items += window.items.length;
    return index === 0 || items <= atOnce;
  });
  const left = new Set(held.slice(windows.length).map(({ windowId }) => windowId));
  return { windows, queue: queue.filter((id, index) => index >= asked.length || left.has(id)) };
}

/** A stage that takes several windows does not say of which one it speaks. */
function rejectionsOf({ windows, rejections }: ConsolidatedWindows): Rejection[] {
  const [window, ...more] = windows;
  if (window === undefined || more.length > 0) return [...rejections];
  return rejections.map((rejection) => ({ ...rejection, windowId: window.windowId }));
}

/** Errors that no further try can mend: the caller must act. */
export function isFinalStoreError(error: unknown): boolean {
  return error instanceof DimensionMismatchError;
}

/**
 * Takes the next windows in the order of speech, holds the scope, and decides what becomes of each item. The scope stays
 * held until the store node has written.
 */
export function createConsolidateNode(services: WriteServices, owner: Owner) {
  return async (state: WriteStateType, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { scope, runId } = state;
    if (state.queue.length === 0) return { consolidated: null };
    await services.locks.lock(scopeKey(scope), runId, runtime?.signal);
    const usage = emptyUsage();
    const taken: string[] = [];
    try {
      const { windows, queue } = await nextWindows(services, owner, state);
      taken.push(...windows.map(({ windowId }) => windowId));
      const next = { queue: [...queue], alone: Math.max(0, state.alone - 1) };
      if (windows.length === 0) {
        await services.locks.unlock(runId);
        return { ...next, consolidated: null };
      }
      const consolidated = await consolidateWindows(services, scope, windows, usage, runtime);
      return {
        ...next,
        consolidated,
        rejections: rejectionsOf(consolidated),
        tally: { rejected: consolidated.rejections.length },
        usage,
      };
    } catch (error) {
      await services.locks.unlock(runId);
      if (isGraphBubbleUp(error) || isFinalStoreError(error) || runtime?.signal?.aborted === true) throw error;
      const windowIds = taken.length > 0 ? taken : state.queue.slice(0, 1);
      const queue = state.queue.filter((id) => !windowIds.includes(id));
      const failed = { windowIds, queue, stage: "consolidate", error } as const;
      return { ...(await afterFailure(services, owner, state, failed, runtime)), consolidated: null, usage };
    }
  };
}
