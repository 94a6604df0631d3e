import { chunkText } from "../language/chunks.js";
import { indexWords } from "../language/index.js";
import { bySession, type DialogueTurn } from "../records/index.js";
import { type ChunkRow, chunkId, type ExactScope } from "../store/index.js";
import { scopeKey } from "./scope-locks.js";
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

async function withVectors(services: CommonServices, rows: readonly ChunkRow[]): Promise<readonly ChunkRow[]> {
  if (!services.embedder.isLocal || rows.length === 0) return rows;
  const vectors = await services.embedder.embedDocuments(rows.map((row) => row.text));
  return rows.map((row, index) => ({ ...row, vector: vectors[index] ?? null }));
}

/** The rows of one session's turns, whose words include those of the turns before them. */
async function sessionRows(
  services: CommonServices,
  scope: ExactScope,
  turns: readonly DialogueTurn[],
): Promise<ChunkRow[]> {
  const first = turns[0];
  if (first === undefined) return [];
  const before = await services.store.turns.before(scope, first.sessionId, first.sequence, NEIGHBOUR_TURNS);
  const line = [...before, ...turns];
  return turns.flatMap((_, index) => chunkRows(scope, line, before.length + index));
}

/** One write per table, however many sessions the turns are of. */
async function indexTurns(
  services: CommonServices,
  scope: ExactScope,
  pending: readonly DialogueTurn[],
): Promise<void> {
  const { store } = services;
  const turns = await completeLog(services, scope, pending);
  const rows = await Promise.all([...bySession(turns).values()].map((one) => sessionRows(services, scope, one)));
  await store.chunks.put(scope, await withVectors(services, rows.flat()));
  await store.inbox.doneWith(scope, "index", pending);
  // A turn that was forgotten while this ran must not come back through its chunks.
  for (const [sessionId, gone] of bySession(await store.turns.missing(scope, turns))) {
    await store.chunks.remove(
      scope,
      sessionId,
      gone.map((turn) => turn.dialogueId),
    );
  }
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
export function indexPendingTurns(services: CommonServices, scope: ExactScope): Promise<void> {
  return services.indexing.run(scopeKey(scope), () => indexWaiting(services, scope));
}

async function indexWaiting(services: CommonServices, scope: ExactScope): Promise<void> {
  const { store, embedder } = services;
  if (store.readOnly) return;
  if (store.dimension === null) {
    if (!embedder.isLocal || (await store.inbox.count(scope, "index")) === 0) return;
    await learnDimension(services, () => embedder.embedQuery("dimension"));
  }
  for (;;) {
    const pending = await store.inbox.pending(scope, "index", { limit: INDEX_BATCH });
    if (pending.length === 0) return;
    await indexTurns(services, scope, pending);
  }
}

/** Finishes an `add` that died between the inbox and the log. Answers the turns without those that were forgotten. */
export async function completeLog(
  services: CommonServices,
  scope: ExactScope,
  turns: readonly DialogueTurn[],
): Promise<readonly DialogueTurn[]> {
  const { store } = services;
  const missing = await store.turns.missing(scope, turns);
  if (missing.length === 0) return turns;
  await store.turns.insert(scope, missing);
  // Asked after the write: what `forget` buries before it removes cannot slip in between.
  const gone = new Set<DialogueTurn>();
  for (const [sessionId, group] of bySession(missing)) {
    const ids = group.map((turn) => turn.dialogueId);
    const buried = await store.tombstones.buried(scope, sessionId, ids);
    if (buried.size === 0) continue;
    await store.turns.remove(scope, sessionId, [...buried]);
    await store.inbox.remove(scope, sessionId, [...buried]);
    for (const turn of group) if (buried.has(turn.dialogueId)) gone.add(turn);
  }
  return turns.filter((turn) => !gone.has(turn));
}
