import { chunksOf } from "../language/chunks.js";
import { indexWords, NEIGHBOUR_REACH, Pace } from "../language/index.js";
import { bySession, type DialogueTurn, NotWritableError, turnPlace } from "../records/index.js";
import { type ChunkRow, chunkId, type ExactScope, metadataHashes, scopeKey } from "../store/index.js";
import { type Line, lineOf, wordsAround } from "./line.js";
import { chunksWithout, remainderOf } from "./neighbour-words.js";
import type { CommonServices } from "./services.js";
import { turnsBefore } from "./turns-before.js";

const INDEX_BATCH = 500;

/** A piece of a turn, as it is embedded. */
export interface Piece {
  readonly chunkId: string;
  readonly text: string;
}

/** The pieces that a turn is indexed in. */
export function piecesOf(scope: ExactScope, { sessionId, dialogueId, content }: DialogueTurn): Piece[] {
  return [...chunksOf(content)].map((text, ordinal) => ({
    chunkId: chunkId(scope, sessionId, dialogueId, ordinal),
    text,
  }));
}

async function chunkRows(scope: ExactScope, line: Line, index: number, pace: Pace): Promise<ChunkRow[]> {
  const turn = line.turns[index];
  if (turn === undefined) return [];
  const pieces: { text: string; words: string }[] = [];
  for (const text of chunksOf(turn.content)) {
    const isWhole = text.length === turn.content.length;
    pieces.push({ text, words: isWhole ? (line.words[index] ?? "") : indexWords(text) });
    await pace.after(text);
  }
  const contextWords = wordsAround(line, index, pieces.length > 1);
  return pieces.map(({ text, words }, ordinal) => ({
    chunkId: chunkId(scope, turn.sessionId, turn.dialogueId, ordinal),
    dialogueId: turn.dialogueId,
    sessionId: turn.sessionId,
    speaker: turn.speaker,
    role: turn.role,
    text,
    timestamp: turn.timestamp,
    sequence: turn.sequence,
    vector: null,
    words,
    contextWords,
    personWords: indexWords(turn.speaker),
    metadataHashes: metadataHashes(turn.metadata),
  }));
}

async function withVectors(services: CommonServices, rows: readonly ChunkRow[]): Promise<ChunkRow[]> {
  const { embedder, store } = services;
  // Where another embedder made the vectors, words alone find the turns until they are made anew.
  if (!embedder.isLocal || (await store.comparesWith(embedder.name)) !== "yes") return [...rows];
  const bare = rows.filter((row) => row.vector === null);
  const vectors = await services.embedder.embedDocuments(bare.map((row) => row.text));
  const byChunk = new Map(bare.map((row, index) => [row.chunkId, vectors[index] ?? null]));
  return rows.map((row) => ({ ...row, vector: row.vector ?? byChunk.get(row.chunkId) ?? null }));
}

/** Rows that are there already, with the words that followed since. */
async function refreshedRows(
  services: CommonServices,
  scope: ExactScope,
  line: Line,
  earlier: readonly DialogueTurn[],
): Promise<ChunkRow[]> {
  const [first] = earlier;
  if (first === undefined) return [];
  const position = new Map(line.turns.map((turn, index) => [turn.dialogueId, index]));
  const ids = earlier.map((turn) => turn.dialogueId);
  const rows = await services.store.chunks.byTurns(scope, first.sessionId, ids);
  return rows.map((row) => {
    const isPart = rows.some((other) => other.dialogueId === row.dialogueId && other.chunkId !== row.chunkId);
    return { ...row, contextWords: wordsAround(line, position.get(row.dialogueId) ?? 0, isPart) };
  });
}

/** The rows of one session's turns, and those of the turns just before, which have new neighbours now. */
async function sessionRows(
  services: CommonServices,
  scope: ExactScope,
  turns: readonly DialogueTurn[],
  before: readonly DialogueTurn[],
): Promise<{ rows: readonly ChunkRow[]; touched: readonly DialogueTurn[] }> {
  const line = lineOf([...before, ...turns]);
  const earlier = before.slice(-NEIGHBOUR_REACH);
  const refreshed = await refreshedRows(services, scope, line, earlier);
  const made: ChunkRow[] = [];
  const pace = new Pace();
  for (const index of turns.keys()) made.push(...(await chunkRows(scope, line, before.length + index, pace)));
  return { rows: [...refreshed, ...made], touched: [...earlier, ...turns] };
}

/** One write per table, however many sessions the turns are of. */
async function indexTurns(
  services: CommonServices,
  scope: ExactScope,
  pending: readonly DialogueTurn[],
): Promise<void> {
  const { store } = services;
  const turns = await completeLog(services, scope, pending);
  const said = bySession(turns);
  const before = await turnsBefore(store, scope, said, 2 * NEIGHBOUR_REACH);
  const sessions = await Promise.all(
    [...said].map(([sessionId, one]) => sessionRows(services, scope, one, before.get(sessionId) ?? [])),
  );
  const rows = sessions.flatMap((session) => session.rows);
  await store.chunks.put(scope, await withVectors(services, rows));
  await store.inbox.doneWith(scope, "index", pending);
  await removeForgotten(
    store,
    scope,
    sessions.flatMap((session) => session.touched),
  );
}

/**
 * A turn that was forgotten while it was indexed must not come back, neither through its chunks nor through its neighbours'.
 * Asked after the write: `forget` buries before it removes.
 */
async function removeForgotten(
  store: CommonServices["store"],
  scope: ExactScope,
  touched: readonly DialogueTurn[],
): Promise<void> {
  const [missing, buried] = await Promise.all([
    store.turns.missing(scope, touched),
    store.tombstones.buriedAmong(scope, touched),
  ]);
  const gone = new Set([...missing, ...buried].map(turnPlace));
  if (gone.size === 0) return;
  const leaves = (turn: DialogueTurn): boolean => gone.has(turnPlace(turn));
  for (const [sessionId, turns] of bySession(touched)) {
    const ids = turns.filter(leaves).map((turn) => turn.dialogueId);
    if (ids.length === 0) continue;
    const before = await store.turns.before(scope, sessionId, turns[0]?.sequence ?? 0, 2 * NEIGHBOUR_REACH);
    const remainder = remainderOf([...before, ...turns], leaves);
    await store.chunks.put(scope, await chunksWithout(store, scope, sessionId, remainder));
    await store.chunks.remove(scope, sessionId, ids);
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
  try {
    await indexPendingTurns(services, scope);
  } catch (error) {
    // A full disk keeps nobody from reading what is there.
    if (!(error instanceof NotWritableError)) throw error;
    logger.warn("new turns could not be indexed yet", { error: String(error) });
  }
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
