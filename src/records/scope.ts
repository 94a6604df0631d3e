import { ScopeError } from "./errors.js";

/**
 * Whose memory is meant. Two scopes that differ in any part never see each other, with one exception: entries written
 * without an `agentId` are shared by all agents of the user.
 */
export interface Scope {
  /** Required, non-blank, compared exactly (no trimming, no case folding). */
  readonly userId: string;
  /** Keeps one agent's memories of the user apart from another's. Absent: shared by all agents of the user. */
  readonly agentId?: string;
  /** The customer or workspace that the user belongs to. Absent: the store's only tenant. */
  readonly tenantId?: string;
}

/**
 * For whom an agent writes: for itself ("private"), or for all agents of the user ("shared"). In both cases it reads its own
 * memory and the shared one.
 */
export type Sharing = "private" | "shared";

/** A scope together with the session that new turns are labelled with. */
export interface SessionScope extends Scope {
  /** Non-blank; "default" for a handle that was given none. */
  readonly sessionId: string;
  /** Present when what the agent writes is shared. */
  readonly sharing?: "shared";
}

/** Session label of handles that were opened without one. */
export const DEFAULT_SESSION_ID = "default";

function checkPart(name: string, value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") {
    throw new ScopeError(`${name} must be a non-blank string, got ${describe(value)}. There is no default user.`);
  }
  if (!value.isWellFormed()) throw new ScopeError(`${name} holds a lone surrogate; pass well-formed Unicode.`);
  return value;
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || value === undefined || typeof value === "number") return String(value);
  return `a value of type ${typeof value}`;
}

function parseSharing(sharing: unknown, agentId: unknown): Sharing {
  if (sharing === undefined) return "private";
  if (sharing !== "private" && sharing !== "shared") {
    throw new ScopeError(`sharing must be "private" or "shared", got ${describe(sharing)}.`);
  }
  if (agentId === undefined) {
    throw new ScopeError(
      `sharing: "${sharing}" needs an agentId: what is written without one is shared by all agents.`,
    );
  }
  return sharing;
}

/**
 * Checks a scope given by a caller and returns it frozen, with absent parts left out.
 * @throws ScopeError when `userId` is missing or blank, when an optional part is given but blank, or when `sharing` is given
 * without an agent.
 */
export function parseScope(input: unknown): SessionScope {
  if (typeof input !== "object" || input === null) {
    throw new ScopeError(`a scope must be an object such as { userId: "ilse" }, got ${describe(input)}.`);
  }
  const { userId, agentId, tenantId, sessionId, sharing } = input as Record<string, unknown>;
  return Object.freeze({
    userId: checkPart("userId", userId),
    ...(agentId === undefined ? {} : { agentId: checkPart("agentId", agentId) }),
    ...(tenantId === undefined ? {} : { tenantId: checkPart("tenantId", tenantId) }),
    sessionId: sessionId === undefined ? DEFAULT_SESSION_ID : checkPart("sessionId", sessionId),
    ...(parseSharing(sharing, agentId) === "shared" ? { sharing: "shared" as const } : {}),
  });
}
