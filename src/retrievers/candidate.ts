import type { Neighbours } from "../language/index.js";
import { type Fact, type Hit, type MemoryEntry, provingSources, type View } from "../records/index.js";
import type { ChunkRow, IndexedText } from "../store/index.js";

/** One thing that may be a hit, with what a ranking needs to know of it. */
export interface Candidate {
  readonly id: string;
  readonly kind: Hit["kind"];
  readonly text: string;
  readonly timestamp: string | null;
  readonly persons: readonly string[];
  readonly speaker: string | null;
  /** Role of the speaker; null for facts. */
  readonly role: string | null;
  readonly sessionId: string;
  readonly sourceIds: readonly string[];
  readonly entry?: MemoryEntry;
  readonly views: Set<View>;
  /** Index words of its own text, in order. */
  readonly words: readonly string[];
  /** Index words of the turns around. */
  readonly neighbours: Neighbours;
  readonly vector: readonly number[] | null;
  /** Best cosine over the queries; null while no leg told it. */
  cosine: number | null;
}

const NOWHERE: Neighbours = new Map();

function contentOf(index: IndexedText | undefined): Pick<Candidate, "words" | "neighbours" | "vector" | "cosine"> {
  return {
    words: index?.words ?? [],
    neighbours: index?.neighbours ?? NOWHERE,
    vector: index?.vector ?? null,
    cosine: null,
  };
}

/** An entry as a candidate. */
export function entryCandidate(entry: MemoryEntry, index?: IndexedText): Candidate {
  return {
    id: entry.entryId,
    kind: "entry",
    text: entry.losslessRestatement,
    timestamp: entry.timestamp ?? entry.mentionedAt,
    persons: entry.persons,
    speaker: entry.speaker,
    role: entry.sourceRole,
    sessionId: entry.sessionId,
    sourceIds: provingSources(entry),
    entry,
    views: new Set(),
    ...contentOf(index),
  };
}

/** A piece of a raw turn as a candidate; its id is that of the turn. */
export function turnCandidate(chunk: ChunkRow, index: IndexedText): Candidate {
  return {
    id: chunk.dialogueId,
    kind: "turn",
    text: chunk.text,
    timestamp: chunk.timestamp,
    persons: [chunk.speaker],
    speaker: chunk.speaker,
    role: chunk.role,
    sessionId: chunk.sessionId,
    sourceIds: [chunk.dialogueId],
    views: new Set(),
    ...contentOf(index),
  };
}

/** An exact key-value as a candidate. */
export function factCandidate(fact: Fact): Candidate {
  return {
    id: `fact:${fact.sessionId}:${fact.key}`,
    kind: "fact",
    text: `${fact.key}: ${fact.value}`,
    timestamp: fact.updatedAt,
    persons: [],
    speaker: null,
    role: null,
    sessionId: fact.sessionId,
    sourceIds: [],
    views: new Set(["lexical"]),
    ...contentOf(undefined),
  };
}

/** Ids of turns are unique within a session only. */
export function turnPlace(sessionId: string, dialogueId: string): string {
  return `${sessionId}\n${dialogueId}`;
}

/** Candidates by identity: what several legs find is one candidate with several views. */
export class Pool {
  readonly #byKey = new Map<string, Candidate>();

  note(found: Candidate, view: View, cosine: number | null = null): void {
    // Two pieces of one turn are two candidates until the better one stands for the turn.
    const key = `${found.kind}\n${found.sessionId}\n${found.id}\n${found.kind === "turn" ? found.text : ""}`;
    const known = this.#byKey.get(key) ?? found;
    known.views.add(view);
    if (cosine !== null) known.cosine = Math.max(known.cosine ?? -1, cosine);
    this.#byKey.set(key, known);
  }

  all(): Candidate[] {
    return [...this.#byKey.values()];
  }
}
