import type {
  EntryVersion,
  Explanation,
  Health,
  MaintenanceReport,
  MemoryEntry,
  Scope,
  SearchResult,
  Stats,
} from "../records/index.js";

/** Whose memory it is, or among whom the page may choose. */
export interface SessionReply {
  readonly fixed: Scope | null;
  readonly users: readonly Pick<Scope, "userId" | "tenantId">[];
}

/** What a search found, and where it would have been cut. */
export interface SearchReply extends SearchResult {
  /** Hits that a search without `k` gives: those after them are shown as below the cut. */
  readonly cut: number;
}

/** One entry: why it says what it says, every version, and the entries that had a part in it. */
export interface EntryReply extends Explanation {
  readonly versions: readonly EntryVersion[];
  readonly related: readonly MemoryEntry[];
}

/** What waits, failed and was done. */
export interface HealthReply {
  readonly health: Health;
  readonly stats: Stats;
  readonly runs: readonly MaintenanceReport[];
}
