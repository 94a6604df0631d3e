import type { LoggedTurn, MemoryEntry, Page } from "../../src/index.js";

const START = Date.parse("2024-01-01T08:00:00Z");
const APART_MS = 30 * 60_000;
const NAMES = ["Ilse", "Bram", "Ane", "Tove"];
const THINGS = ["loom", "boat", "violin", "kiln", "greenhouse", "orchard", "telescope"];

function turnAt(index: number): LoggedTurn["turn"] {
  return {
    dialogueId: `t${index}`,
    sessionId: `s${Math.floor(index / 100)}`,
    speaker: NAMES[index % NAMES.length] ?? "",
    role: "user",
    content: `I mended the ${THINGS[index % THINGS.length]} number ${index} today. ${"It took a while. ".repeat(index % 5)}`,
    timestamp: new Date(START + index * APART_MS).toISOString(),
    offsetMinutes: 0,
    timestampIsAssumed: false,
    contentHash: "",
    sequence: index,
    metadata: {},
  };
}

function entryOf({ dialogueId, sessionId, speaker, content, timestamp: at }: LoggedTurn["turn"]): MemoryEntry {
  return {
    entryId: `e-${dialogueId}`,
    sessionId,
    losslessRestatement: content.replace("I", speaker).replace("today", `on ${at.slice(0, 10)}`),
    keywords: [],
    timestamp: at,
    timestampEnd: null,
    mentionedAt: at,
    location: null,
    persons: [speaker],
    entities: [],
    topic: null,
    attributes: {},
    kind: "event",
    speaker,
    sourceRole: "user",
    sourceIds: [dialogueId],
    confidence: 0.8,
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
    createdAt: at,
    updatedAt: at,
    embeddingModel: "fake-16",
  };
}

/** A page of a log of `count` turns, each of which became one fact; a cursor is the place of the turn that comes next. */
export function longLogPage(count: number, query: URLSearchParams): Page<LoggedTurn> {
  const from = Number(query.get("cursor") ?? 0);
  const until = Math.min(count, from + Number(query.get("limit") ?? 100));
  const items = Array.from({ length: until - from }, (_, offset) => {
    const turn = turnAt(from + offset);
    return { turn, progress: "read" as const, entries: [entryOf(turn)] };
  });
  return until < count ? { items, cursor: String(until) } : { items };
}
