import { createHash } from "node:crypto";
import type { ExactScope } from "../store/index.js";

function digest(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** The same turns of the same scope make the same window, whoever cuts them. */
export function windowIdOf(scope: ExactScope, sessionId: string, turnIds: readonly string[]): string {
  return digest(["window", scope.tenantId, scope.userId, scope.agentId, sessionId, ...turnIds]);
}

/** The same place in the same window makes the same row, however often it is stored. */
export function entryIdOf(windowId: string, ordinal: number): string {
  return digest(["entry", windowId, ordinal]);
}

/** The same parts make the same pattern. */
export function patternIdOf(scope: ExactScope, partIds: readonly string[]): string {
  return digest(["pattern", scope.tenantId, scope.userId, scope.agentId, ...[...partIds].sort()]);
}
