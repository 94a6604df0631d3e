import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DialogueTurn, Fact, MemoryEntry, WindowRecord } from "../../src/records/index.js";
import { type ChunkRow, chunkId, type EntryRow, type ExactScope, exactScope } from "../../src/store/index.js";

export const ILSE: ExactScope = exactScope({ userId: "u-ilse" });
export const BRAM: ExactScope = exactScope({ userId: "u-bram" });
export const DIMENSION = 4;
export const EMBEDDER = "test-embedder";
export const NOON = "2025-03-04T12:00:00.000Z";

/** A fresh folder below the system's temporary one, and how to remove it. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "store-test-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export function turnOf(change: Partial<DialogueTurn> = {}): DialogueTurn {
  return {
    dialogueId: "d1",
    sessionId: "s1",
    speaker: "Ilse",
    role: "user",
    content: "The heron nests in the mill.",
    timestamp: NOON,
    offsetMinutes: 60,
    timestampIsAssumed: false,
    contentHash: "hash",
    sequence: 1,
    metadata: {},
    ...change,
  };
}

export function entryOf(change: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    entryId: "e1",
    sessionId: "s1",
    losslessRestatement: "The heron nests in the mill.",
    keywords: [],
    timestamp: null,
    timestampEnd: null,
    mentionedAt: NOON,
    location: null,
    persons: [],
    entities: [],
    topic: null,
    attributes: {},
    kind: "fact",
    speaker: "Ilse",
    sourceRole: "user",
    sourceIds: ["d1"],
    confidence: 1,
    importance: 0.5,
    trust: "user",
    status: "active",
    pinned: false,
    validFrom: null,
    validTo: null,
    expiresAt: null,
    supersedes: [],
    supersededBy: null,
    derivedFrom: [],
    accessCount: 0,
    lastAccessedAt: null,
    metadata: {},
    createdAt: NOON,
    updatedAt: NOON,
    embeddingModel: EMBEDDER,
    ...change,
  };
}

/** An entry as it is written; its words are those of the restatement, in lower case. */
export function entryRow(change: Partial<MemoryEntry> = {}, search: Partial<Omit<EntryRow, "entry">> = {}): EntryRow {
  const entry = entryOf(change);
  const words = entry.losslessRestatement.toLowerCase().replaceAll(".", "");
  return {
    entry,
    vector: [1, 0, 0, 0],
    words,
    contextWords: "",
    personWords: entry.persons.join(" ").toLowerCase(),
    keywordWords: "",
    changes: [],
    ...search,
  };
}

export function chunkRow(scope: ExactScope, change: Partial<ChunkRow> = {}): ChunkRow {
  const dialogueId = change.dialogueId ?? "d1";
  const sessionId = change.sessionId ?? "s1";
  return {
    chunkId: chunkId(scope, sessionId, dialogueId, 0),
    dialogueId,
    sessionId,
    speaker: "Ilse",
    role: "user",
    text: "The heron nests in the mill.",
    timestamp: NOON,
    sequence: 1,
    vector: null,
    words: "the heron nests in the mill",
    contextWords: "",
    personWords: "ilse",
    metadataHashes: [],
    ...change,
  };
}

export function windowOf(change: Partial<WindowRecord> = {}): WindowRecord {
  return {
    windowId: "w1",
    sessionId: "s1",
    agentId: null,
    turnIds: ["d1"],
    contextIds: [],
    state: "pending",
    owner: null,
    leaseExpiresAt: 0,
    attempts: 0,
    lastError: null,
    items: [],
    createdAt: NOON,
    updatedAt: NOON,
    ...change,
  };
}

export function factOf(change: Partial<Fact> = {}): Fact {
  return {
    key: "diet",
    value: "vegan",
    category: "general",
    sessionId: "s1",
    expiresAt: null,
    history: [],
    createdAt: NOON,
    updatedAt: NOON,
    ...change,
  };
}

/** Paths below the folder of the files that hold the text as bytes. */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  return paths.filter((_path, index) => contents[index]?.includes(text));
}
