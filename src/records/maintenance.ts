import type { MemoryEntry } from "./entry.js";
import type { Rejection } from "./results.js";
import type { Scope } from "./scope.js";
import type { Usage } from "./usage.js";

/** By what maintenance decides. */
export interface MaintenanceRule {
  /** Days after the last mention or access for which an entry counts in full. */
  readonly fullDays: number;
  /** Days after which it counts no more and may be archived; between the two its weight falls in a line. */
  readonly archiveDays: number;
  /** From this importance on (0 to 1) both times are twice as long. */
  readonly important: number;
  /** Times that an entry must be found to be promoted: it then counts twice as long, and is active again if it was archived. */
  readonly promoteAfter: number;
  /** Average cosine of all pairs from which entries may be one cluster; also what two duplicates must reach. */
  readonly similarity: number;
  /** Entries that make a pattern at least. */
  readonly minParts: number;
  /** Rows of a table from which its vectors get an index. */
  readonly vectorIndexFrom: number;
}

/** The rule without options. */
export const DEFAULT_MAINTENANCE: MaintenanceRule = Object.freeze<MaintenanceRule>({
  fullDays: 30,
  archiveDays: 90,
  important: 0.8,
  promoteAfter: 3,
  similarity: 0.85,
  minParts: 3,
  vectorIndexFrom: 50_000,
});

/** The steps of a run, in their order; `run` stands for all of them, where a scope could not be maintained at all. */
export type MaintenanceStep = "access" | "expire" | "decay" | "revive" | "join" | "cluster" | "compact" | "run";

/** A step that failed. What the other steps did stands. */
export interface MaintenanceFailure {
  /** Which step. */
  readonly step: MaintenanceStep;
  /** The error's name and message. */
  readonly error: string;
}

/** What somebody should look at. */
export interface MaintenanceAlert {
  /** `failed`: a step failed. `idle`: the run changed far less than usual. */
  readonly kind: "failed" | "idle";
  /** What is wrong, in a sentence. */
  readonly message: string;
}

/** What the upkeep of the tables came to. */
export interface Upkeep {
  /** Tables whose small files were folded and whose old versions were dropped. */
  readonly tables: number;
  /** Tables whose vectors have an index. */
  readonly vectorIndexes: number;
  /** Rows that some index does not cover yet; 0 when nobody wrote meanwhile. */
  readonly unindexedRows: number;
}

/** What a run of maintenance did. Plain JSON, without any text of an entry. */
export interface MaintenanceReport {
  /** Names the run. */
  readonly runId: string;
  /** Whose memory; null for a run over all scopes. */
  readonly scope: Scope | null;
  /** When it began, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** When it ended, ISO 8601 in UTC. */
  readonly finishedAt: string;
  /** By what it decided. */
  readonly rule: MaintenanceRule;
  /** Scopes that it went through. */
  readonly scopes: number;
  /** Active entries when it began. */
  readonly examined: number;
  /** Entries whose count of accesses was written. */
  readonly accesses: number;
  /** Whose time was over: entries that were archived, facts that were removed. */
  readonly expired: { readonly entries: number; readonly facts: number };
  /** Entries between full weight and none, those that were archived, and those that came back from the archive. */
  readonly decay: { readonly fading: number; readonly archived: number; readonly revived: number };
  /** Entries that said nothing that another does not say, and were joined with it. */
  readonly duplicates: { readonly joined: number };
  /** Patterns that were made, entries that were archived under them, and clusters that no text could sum up without loss. */
  readonly clusters: { readonly made: number; readonly parts: number; readonly refused: number };
  /** Null when the run left the tables alone, or failed to fold them. */
  readonly upkeep: Upkeep | null;
  /** Size of the store's folder; 0 for stores that are not a local folder. */
  readonly bytes: { readonly before: number; readonly after: number };
  /** What it cost; `ms` by step. */
  readonly usage: Usage;
  /** Texts of a model that did not pass a check. */
  readonly rejections: readonly Rejection[];
  /** Steps that failed; empty when all went well. */
  readonly failures: readonly MaintenanceFailure[];
  /** What somebody should look at; each was logged as a warning and told to `maintenance.onAlert`. */
  readonly alerts: readonly MaintenanceAlert[];
}

/** How many entries and facts a run changed. */
export function changedBy(
  report: Pick<MaintenanceReport, "accesses" | "expired" | "decay" | "duplicates" | "clusters">,
) {
  const { accesses, expired, decay, duplicates, clusters } = report;
  const decayed = decay.archived + decay.revived;
  return accesses + expired.entries + expired.facts + decayed + duplicates.joined + clusters.parts;
}

/** Options of `maintain`. */
export interface MaintainOptions {
  /** Also folds the tables of the whole store and keeps their indexes. Default true. */
  readonly upkeep?: boolean;
  /** Aborts the run; what it did until then stands. */
  readonly signal?: AbortSignal;
}

/** Options of `maintenance.reports`. */
export interface ReportsOptions {
  /** Reports at most, 1 to 20. Default 20. */
  readonly limit?: number;
}

/** Options of `maintenance.expand`. */
export interface ExpandOptions {
  /** Why, in a few words; stands in the history of the parts. */
  readonly reason?: string;
}

/** What maintenance did to a scope, and how to undo a pattern. */
export interface Maintenance {
  /**
   * The last runs over this scope, newest first.
   * @throws InvalidInputError for a wrong option, ClosedError
   * @example
   * const [last] = await memory.maintenance.reports({ limit: 1 });
   * console.log(last?.decay, last?.alerts);
   */
  reports(options?: ReportsOptions): Promise<readonly MaintenanceReport[]>;
  /**
   * Takes a pattern apart: its parts are active again and the pattern is gone. No later run joins these parts or sums them up.
   * A part stays archived when another active entry says the same by now.
   * @param id of an entry of the kind `pattern` that maintenance made
   * @returns the parts that are active again
   * @throws EntryNotFoundError for an unknown id, InvalidInputError when it is no such pattern, or was superseded
   * @throws NotWritableError, ClosedError
   * @example
   * const parts = await memory.maintenance.expand(id, { reason: "two things after all" });
   */
  expand(id: string, options?: ExpandOptions): Promise<readonly MemoryEntry[]>;
}
