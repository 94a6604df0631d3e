import { chunkText } from "../language/chunks.js";
import { indexWords } from "../language/index.js";
import type { DialogueTurn } from "../records/index.js";
import { bySession } from "../records/index.js";
import { type ChunkRow, chunkId, type ExactScope } from "../store/index.js";
import type { CommonServices } from "./services.js";

/** Turns on either side whose words are kept with a turn: a reply is often found by the words of what it replies to. */
const NEIGHBOUR_TURNS = 2;
const INDEX_BATCH = 500;

/** The words of the turns around one turn, within its session. */
export function neighbourWords(turns: readonly DialogueTurn[], index: number): string {
  const around: string[] = [];
  for (let step = -NEIGHBOUR_TURNS; step <= NEIGHBOUR_TURNS; step++) {
    const neighbour = step === 0 ? undefined : turns[index + step];
    if (neighbour !== undefined) around.push(indexWords(neighbour.content));
  }
  return around.join(" ");
}

function chunkRows(scope: ExactScope, turns: readonly DialogueTurn[], index: number): ChunkRow[] {
  const turn = turns[index];
  if (turn === undefined) return [];
  const contextWords = neighbourWords(turns, index);
  return chunkText(turn.content).map((text, ordinal) => ({
    chunkId: chunkId(scope, turn.sessionId, turn.dialogueId, ordinal),
    dialogueId: turn.dialogueId,
    sessionId: turn.sessionId,
    speaker: turn.speaker,
    role: turn.role,
    text,
    timestamp: turn.timestamp,
    sequence: turn.sequence,
    vector: null,
    words: indexWords(text),
    contextWords,
    personWords: indexWords(turn.speaker),
  }));
}

async function withVectors(services: CommonServices, rows: ChunkRow[]): Promise<ChunkRow[]> {
  if (!services.embedder.isLocal || rows.length === 0) return rows;
  const vectors = await services.embedder.embedDocuments(rows.map((row) => row.text));
  return rows.map((row, index) => ({ ...row, vector: vectors[index] ?? null }));
}

async function indexSession(services: CommonServices, scope: ExactScope, turns: DialogueTurn[]): Promise<void> {
  const first = turns[0];
  if (first === undefined) return;
  const { store } = services;
  const before = await store.turns.before(scope, first.sessionId, first.sequence, NEIGHBOUR_TURNS);
  const line = [...before, ...turns];
  const rows = await withVectors(
    services,
    turns.flatMap((_, index) => chunkRows(scope, line, before.length + index)),
  );
  await store.chunks.put(scope, rows);
  const ids = turns.map((turn) => turn.dialogueId);
  await store.inbox.done(scope, "index", first.sessionId, ids);
  // A turn that was forgotten while this ran must not come back through its chunks.
  const alive = new Set((await store.turns.find(scope, first.sessionId, ids)).map((turn) => turn.dialogueId));
  const gone = ids.filter((id) => !alive.has(id));
  if (gone.length > 0) await store.chunks.remove(scope, first.sessionId, gone);
}

/** Makes the vector tables for the length of one vector. */
async function learnDimension(services: CommonServices, embed: () => Promise<number[]>): Promise<void> {
  const vector = await embed();
  await services.store.ensureDimension(vector.length, services.embedder.name);
}

/**
 * Before the first flush of a store over a remote embedder, nobody knows the length of its vectors, and turns cannot be
 * indexed: the first question tells it. When the embedder is dead, the search goes on without them.
 */
export async function indexForQuestion(services: CommonServices, scope: ExactScope, question: string): Promise<void> {
  const { store, embedder, logger } = services;
  if (store.readOnly) return;
  if (store.dimension === null && !embedder.isLocal && (await store.inbox.count(scope, "index")) > 0) {
    try {
      await learnDimension(services, () => embedder.embedQuery(question));
    } catch (error) {
      logger.warn("new turns could not be indexed yet", { error: String(error) });
      return;
    }
  }
  await indexPendingTurns(services, scope);
}

/**
 * Makes the scope's new turns searchable as they are: the episodic layer. Does nothing while the length of the vectors of a
 * remote embedder is not known, since the table cannot be made then; the turns stay in the inbox. Idempotent, so a crash only delays it.
 */
export async function indexPendingTurns(services: CommonServices, scope: ExactScope): Promise<void> {
  const { store, embedder } = services;
  if (store.readOnly) return;
  if (store.dimension === null) {
    if (!embedder.isLocal || (await store.inbox.count(scope, "index")) === 0) return;
    await learnDimension(services, () => embedder.embedQuery("dimension"));
  }
  for (;;) {
    const pending = await store.inbox.pending(scope, "index", { limit: INDEX_BATCH });
    if (pending.length === 0) return;
    for (const turns of bySession(pending).values()) {
      await completeLog(services, scope, turns);
      await indexSession(services, scope, turns);
    }
  }
}

/** Finishes an `add` that died between the inbox and the log. */
export async function completeLog(
  services: CommonServices,
  scope: ExactScope,
  turns: readonly DialogueTurn[],
): Promise<void> {
  const first = turns[0];
  if (first === undefined) return;
  const known = new Set(
    (
      await services.store.turns.find(
        scope,
        first.sessionId,
        turns.map((turn) => turn.dialogueId),
      )
    ).map((turn) => turn.dialogueId),
  );
  const missing = turns.filter((turn) => !known.has(turn.dialogueId));
  if (missing.length === 0) return;
  const { store } = services;
  await store.turns.insert(scope, missing);
  // Asked after the write: what `forget` buries before it removes cannot slip in between.
  const ids = missing.map((turn) => turn.dialogueId);
  const buried = [...(await store.tombstones.buried(scope, first.sessionId, ids))];
  if (buried.length === 0) return;
  await store.turns.remove(scope, first.sessionId, buried);
  await store.inbox.remove(scope, first.sessionId, buried);
}
