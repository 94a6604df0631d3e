import type { MemoryEntry } from "../records/index.js";

export function later(left: string, right: string): string {
  return left > right ? left : right;
}

/** Words that expire last as long as if they had been said now for the first time; what has expired is said anew. */
export function renewedExpiry({ expiresAt }: MemoryEntry, said: MemoryEntry): string | null {
  if (expiresAt === null) return null;
  if (said.expiresAt !== null) return later(expiresAt, said.expiresAt);
  return said.mentionedAt >= expiresAt ? null : expiresAt;
}

/** The moment from which an entry holds no more, or never did: what was still ahead then ends where it would have begun. */
export function endedAt({ validFrom }: MemoryEntry, moment: string): string {
  return validFrom === null ? moment : later(validFrom, moment);
}

/** When a fact holds from: when it happened, else when it was said. */
export function since(entry: MemoryEntry): string {
  return entry.timestamp ?? entry.mentionedAt;
}

/**
 * Until when a statement held that another replaced: what was still ahead when the other was said never came true, so that it
 * ends where it would have begun.
 */
export function endOf(replaced: MemoryEntry, by: MemoryEntry): string {
  const begins = replaced.validFrom ?? since(replaced);
  return begins > by.mentionedAt ? begins : later(begins, since(by));
}
