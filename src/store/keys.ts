import { createHash } from "node:crypto";
import type { Json, Metadata } from "../records/index.js";
import { canonicalJson, type Row } from "./row.js";
import type { Cells } from "./schema.js";
import type { ExactScope } from "./store.js";

/**
 * SHA-256 of the parts, in hex. They are joined as JSON, so that ["a", "bc"] and ["ab", "c"] differ, and hashed, so that
 * no id of a caller becomes part of a name or of a path.
 */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Key of anything that is unique within an exact scope. */
export function scopedKey(scope: ExactScope, ...parts: readonly string[]): string {
  return hashOf(scope.tenantId, scope.userId, scope.agentId, ...parts);
}

/** Key of a turn: unique over the whole store. */
export function turnKey(scope: ExactScope, sessionId: string, dialogueId: string): string {
  return scopedKey(scope, sessionId, dialogueId);
}

/** Id of the piece of a turn with this ordinal, counted from 0. */
export function chunkId(scope: ExactScope, sessionId: string, dialogueId: string, ordinal: number): string {
  return `${turnKey(scope, sessionId, dialogueId)}:${ordinal}`;
}

export function scopeCells(scope: ExactScope): Cells {
  return { tenant_id: scope.tenantId, user_id: scope.userId, agent_id: scope.agentId };
}

export function scopeOf(row: Row): ExactScope {
  return { tenantId: row.text("tenant_id"), userId: row.text("user_id"), agentId: row.text("agent_id") };
}

/** Each scope once, in the order of first sight. */
export function distinctScopes(rows: readonly Row[]): readonly ExactScope[] {
  const seen = new Map<string, ExactScope>();
  for (const row of rows) {
    const scope = scopeOf(row);
    seen.set(scopedKey(scope), scope);
  }
  return [...seen.values()];
}

/** How names are compared: without case, in one Unicode form. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Stands for one `key: value` of free metadata. Hashed: a filter then holds no quote and no text of the caller. */
export function metadataHash(key: string, value: Json): string {
  return hashOf(key, canonicalJson(value));
}

export function metadataHashes(metadata: Metadata): readonly string[] {
  return Object.entries(metadata).map(([key, value]) => metadataHash(key, value));
}

/** One text for an exact scope; scopes that differ in any part differ in it. */
export function scopeKey(scope: ExactScope): string {
  return JSON.stringify([scope.tenantId, scope.userId, scope.agentId]);
}
