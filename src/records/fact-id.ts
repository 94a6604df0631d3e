import type { Fact } from "./entry.js";

/** The id under which a fact is found, and which `forget` takes. */
export function factHitId({ sessionId, key }: Pick<Fact, "sessionId" | "key">): string {
  return `fact:${sessionId}:${key}`;
}
