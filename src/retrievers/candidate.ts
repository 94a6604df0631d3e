import { type Fact, factHitId, type Hit, type MemoryEntry, provingSources, type View } from "../records/index.js";
import type { ChunkRow } from "../store/index.js";
import { EMPTY_PROFILE, type TextProfile } from "./profile.js";

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
  readonly profile: TextProfile;
  readonly vector: readonly number[] | null;
  /** Best cosine over the queries; null while no leg told it. */
  cosine: number | null;
}

/** What a candidate was indexed by. */
export interface Content {
  readonly profile: TextProfile;
  readonly vector: readonly number[] | null;
}

const UNKNOWN: Content = Object.freeze({ profile: EMPTY_PROFILE, vector: null });

/** An entry as a candidate. */
export function entryCandidate(entry: MemoryEntry, content: Content = UNKNOWN): Candidate {
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
    profile: content.profile,
    vector: content.vector,
    cosine: null,
  };
}

/** A piece of a raw turn as a candidate; its id is that of the turn. */
export function turnCandidate(chunk: ChunkRow, content: Content): Candidate {
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
    profile: content.profile,
    vector: content.vector,
    cosine: null,
  };
}

/** An exact key-value as a candidate. */
export function factCandidate(fact: Fact): Candidate {
  return {
    id: factHitId(fact),
    kind: "fact",
    text: `${fact.key}: ${fact.value}`,
    timestamp: fact.updatedAt,
    persons: [],
    speaker: null,
    role: null,
    sessionId: fact.sessionId,
    sourceIds: [],
    views: new Set(["lexical"]),
    ...UNKNOWN,
    cosine: null,
  };
}

/**
 * Candidates by the row that they were made of: what several legs find is one candidate with several views. Two pieces of one
 * turn are two candidates until the better one stands for the turn.
 */
export class Pool {
  readonly #byRow = new Map<object, Candidate>();

  /** @param make makes a candidate of the row, when it is new here */
  note(row: object, make: () => Candidate, view: View, cosine: number | null): void {
    const known = this.#byRow.get(row);
    const candidate = known ?? make();
    candidate.views.add(view);
    if (cosine !== null) candidate.cosine = Math.max(candidate.cosine ?? -1, cosine);
    if (known === undefined) this.#byRow.set(row, candidate);
  }

  all(): Candidate[] {
    return [...this.#byRow.values()];
  }
}
