import { createHash } from "node:crypto";
import { lexicalColumns } from "../../src/graph/index.js";
import { type Line, lineOf, wordsAround } from "../../src/graph/line.js";
import { indexWords } from "../../src/language/index.js";
import type { LocalEmbeddings } from "../../src/models/index.js";
import type { DialogueTurn, MemoryEntry, WindowRecord } from "../../src/records/index.js";
import { type ChunkRow, chunkId, type EntryRow, type ExactScope } from "../../src/store/index.js";
import type { Said, Sentences } from "./sentences.js";

/** Turns of a session, which are one window. */
export const SESSION_TURNS = 40;

/** The rows that a session leaves in each table, one entry for each turn. */
export interface SessionRows {
  readonly turns: readonly DialogueTurn[];
  readonly chunks: readonly ChunkRow[];
  readonly entries: readonly EntryRow[];
  readonly window: WindowRecord;
}

function idOf(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The id that a turn is given. */
export function turnIdOf(index: number): string {
  return `t${index}`;
}

function turnOf(said: Said, sessionId: string): DialogueTurn {
  return {
    dialogueId: turnIdOf(said.index),
    sessionId,
    speaker: said.speaker,
    role: "user",
    content: said.content,
    timestamp: said.at,
    offsetMinutes: 0,
    timestampIsAssumed: false,
    contentHash: idOf("user", said.speaker, said.content),
    sequence: said.index,
    metadata: {},
  };
}

function entryOf(scope: ExactScope, said: Said, sessionId: string, embeddingModel: string): MemoryEntry {
  const { speaker, other, things, restatement, at } = said;
  return {
    entryId: idOf(scope.userId, said.index),
    sessionId,
    losslessRestatement: restatement,
    keywords: things,
    timestamp: at,
    timestampEnd: null,
    mentionedAt: at,
    location: things[2] ?? null,
    persons: [speaker, other],
    entities: [],
    topic: null,
    attributes: {},
    kind: "event",
    speaker,
    sourceRole: "user",
    sourceIds: [turnIdOf(said.index)],
    confidence: 0.9,
    importance: 0.5,
    trust: "user",
    status: "active",
    pinned: false,
    validFrom: at,
    validTo: null,
    expiresAt: null,
    supersedes: [],
    supersededBy: null,
    derivedFrom: [],
    accessCount: 0,
    lastAccessedAt: null,
    metadata: {},
    createdAt: at,
    updatedAt: at,
    embeddingModel,
  };
}

function chunkOf(scope: ExactScope, turn: DialogueTurn, line: Line, index: number, vector: number[]): ChunkRow {
  return {
    chunkId: chunkId(scope, turn.sessionId, turn.dialogueId, 0),
    dialogueId: turn.dialogueId,
    sessionId: turn.sessionId,
    speaker: turn.speaker,
    role: turn.role,
    text: turn.content,
    timestamp: turn.timestamp,
    sequence: turn.sequence,
    vector,
    words: line.words[index] ?? "",
    contextWords: wordsAround(line, index, false),
    personWords: indexWords(turn.speaker),
    metadataHashes: [],
  };
}

function windowOf(scope: ExactScope, turns: readonly DialogueTurn[], sessionId: string, at: string): WindowRecord {
  return {
    windowId: idOf(scope.userId, sessionId),
    sessionId,
    agentId: null,
    turnIds: turns.map(({ dialogueId }) => dialogueId),
    contextIds: [],
    state: "stored",
    owner: null,
    leaseExpiresAt: 0,
    attempts: 1,
    lastError: null,
    items: [],
    createdAt: at,
    updatedAt: at,
  };
}

function entryRows(
  scope: ExactScope,
  said: readonly Said[],
  sessionId: string,
  line: Line,
  embeddings: LocalEmbeddings,
) {
  return said.map((one, index): EntryRow => {
    const entry = entryOf(scope, one, sessionId, embeddings.modelName);
    const vector = embeddings.embedSync(entry.losslessRestatement);
    return { entry, vector, contextWords: wordsAround(line, index, true), ...lexicalColumns(entry), changes: [] };
  });
}

/** What the session of this number leaves in a store: in the tables of what was said, or in those of what is known. */
export function sessionRows(
  scope: ExactScope,
  session: number,
  half: "said" | "known",
  sentences: Sentences,
  embeddings: LocalEmbeddings,
): SessionRows {
  const sessionId = `s${session}`;
  const said = Array.from({ length: SESSION_TURNS }, (_, offset) => sentences.at(session * SESSION_TURNS + offset));
  const turns = said.map((one) => turnOf(one, sessionId));
  const line = lineOf(turns);
  const isSaid = half === "said";
  return {
    turns,
    chunks: isSaid
      ? turns.map((turn, index) => chunkOf(scope, turn, line, index, embeddings.embedSync(turn.content)))
      : [],
    entries: isSaid ? [] : entryRows(scope, said, sessionId, line, embeddings),
    window: windowOf(scope, turns, sessionId, said[0]?.at ?? ""),
  };
}
