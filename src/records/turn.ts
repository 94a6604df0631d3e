/** Who speaks, in the words that chat models use. */
export type Role = "user" | "assistant" | "tool" | "system";

/** JSON data as it is stored with a record and given back unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** What a caller keeps with a turn. */
export type Metadata = { readonly [key: string]: Json };

/** A turn as a caller gives it to `add`. */
export interface TurnInput {
  /** The caller's id, unique within scope and session. Absent: a UUIDv7 is made. */
  readonly id?: string;
  /** The name of who speaks, such as "Ilse Corrin". */
  readonly speaker: string;
  /** Defaults to "user". */
  readonly role?: Role;
  /** What was said. A file within it as a base64 data URL is kept as a short placeholder, such as "[image]". */
  readonly content: string;
  /** ISO 8601 text, or a Date. Without an offset it is read in the engine's `timeZone`. Absent: the clock's time. */
  readonly timestamp?: string | Date;
  /** Overrides the handle's session for this turn. */
  readonly sessionId?: string;
  /**
   * Plain JSON that is kept with the turn and given back by `turns`. The entries that the turn proves take it over, so that
   * `filter.metadata` finds them. No model sees it.
   */
  readonly metadata?: Metadata;
}

/** One turn of the raw log: append-only, the source of truth. Plain JSON. */
export interface DialogueTurn {
  /** The id that the caller gave, or the UUIDv7 that was made; unique within scope and session. */
  readonly dialogueId: string;
  /** The conversation that it belongs to. */
  readonly sessionId: string;
  /** The name of who speaks. */
  readonly speaker: string;
  /** The role of who speaks. */
  readonly role: Role;
  /** What was said, as it was said. */
  readonly content: string;
  /** The instant in UTC, ISO 8601 with milliseconds and "Z". */
  readonly timestamp: string;
  /** Minutes east of UTC of the place where it was said: -480 for Los Angeles in winter. */
  readonly offsetMinutes: number;
  /** True when the caller gave no time and the clock's was used. */
  readonly timestampIsAssumed: boolean;
  /** SHA-256 of role, speaker and content, in hex. */
  readonly contentHash: string;
  /** Order of arrival within the store: grows with every accepted turn of a process. */
  readonly sequence: number;
  /** As it was given to `add`; `{}` when nothing was. */
  readonly metadata: Metadata;
}

/** Names a turn among those of a scope: ids are unique within a session only. */
export function turnPlace({ sessionId, dialogueId }: Pick<DialogueTurn, "sessionId" | "dialogueId">): string {
  return `${sessionId}\n${dialogueId}`;
}
