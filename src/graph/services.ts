import type {
  DialogueTurn,
  EntryKind,
  Logger,
  MaintenanceAlert,
  MaintenanceReport,
  MaintenanceRule,
  Plan,
  ReviewRule,
  View,
} from "../records/index.js";
import type { HybridRetriever } from "../retrievers/index.js";
import type { Answerer } from "../stages/answer/answerer.js";
import type { Consolidator } from "../stages/consolidate/consolidator.js";
import type { Extractor } from "../stages/extract/extractor.js";
import type { Maintainer } from "../stages/maintain/maintainer.js";
import type { Planner } from "../stages/plan/planner.js";
import type { Reflector } from "../stages/reflect/reflector.js";
import type { Windower } from "../stages/window/window.js";
import type { MemoryStore } from "../store/index.js";
import type { AccessLog } from "./access-log.js";
import type { ScopeLocks } from "./scope-locks.js";
import type { SharedRuns } from "./shared-runs.js";

/** An embedder as the graphs see it. */
export interface NamedEmbedder {
  /** Recorded in the store: another name means another vector space. */
  readonly name: string;
  /** Vectors cost nothing, so that turns are embedded as they arrive. */
  readonly isLocal: boolean;
  /** The vectors of texts that are stored. */
  embedDocuments(texts: string[]): Promise<number[][]>;
  /** The vector of a text that is searched for. */
  embedQuery(text: string): Promise<number[]>;
}

/** Limits in time and number, milliseconds where not said otherwise. */
export interface Limits {
  /** Windows that are extracted at the same time. */
  readonly maxConcurrency: number;
  /** Flushes that may try a window before it is `failed`. */
  readonly tries: number;
  /** One call of a stage. */
  readonly stageTimeoutMs: number;
  /** How long a window is held before another process may take it. */
  readonly leaseMs: number;
  /** Rounds of reflection after the first retrieval, 0 to 5. */
  readonly maxReflectionRounds: number;
  /** Calls of models in one run of the write graph; what is left stays pending. Absent: no cap. */
  readonly maxCallsPerFlush?: number;
}

/** What both graphs are handed: nothing in them reaches for a global. */
export interface CommonServices {
  /** Where everything is kept. */
  readonly store: MemoryStore;
  /** Makes the vectors. */
  readonly embedder: NamedEmbedder;
  /** What a run may take. */
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** IANA zone in which days are meant. */
  readonly timeZone: string;
  /** Where the graphs report what they do. */
  readonly logger: Logger;
  /** Counts the tokens of a text. */
  readonly countTokens: (text: string) => number;
  /** One run at a time makes a scope's new turns searchable. */
  readonly indexing: SharedRuns;
}

/** What the write graph is handed. */
export interface WriteServices extends CommonServices {
  /** Cuts pending turns into windows. */
  readonly windower: Windower;
  /** Makes facts of a window. */
  readonly extractor: Extractor;
  /** Compares them with what is known. */
  readonly consolidator: Consolidator;
  /** One writer at a time for each scope, among processes. */
  readonly locks: ScopeLocks;
  /** The caller's words on what to remember and what not. */
  readonly instructions?: string;
  /** Which new entries are held back until they are approved. Default: none. */
  readonly review?: ReviewRule;
  /** After how many days new entries of a kind expire. Default: none does. */
  readonly expireAfterDays?: { readonly [kind in EntryKind]?: number };
}

/** What the read graph is handed. */
export interface ReadServices extends CommonServices {
  /** Finds and ranks. */
  readonly retriever: HybridRetriever;
  /** Turns a question into a plan. */
  readonly planner: Planner;
  /** Plans by rule when the question does not need the model. */
  readonly rulePlanner: Planner;
  /** Whether a question needs the model's plan, given the recent turns that it may point back to. */
  readonly needsModel: (plan: Plan, recent: readonly DialogueTurn[]) => boolean;
  /** Judges what was found. */
  readonly reflector: Reflector;
  /** Answers from it. */
  readonly answerer: Answerer;
  /** Answers when the answerer failed. */
  readonly fallbackAnswerer: Answerer;
  /** The views of a read that names none. */
  readonly defaultViews: readonly View[];
}

/** What the maintain graph is handed. */
export interface MaintainServices extends CommonServices {
  /** Writes the texts of patterns. */
  readonly maintainer: Maintainer;
  /** One writer at a time for each scope, among processes. */
  readonly locks: ScopeLocks;
  /** What reads found since it was written last. */
  readonly accesses: AccessLog;
  /** By what it decides. */
  readonly rule: MaintenanceRule;
  /** Told of each alert, after its report was stored. */
  readonly onAlert?: (alert: MaintenanceAlert, report: MaintenanceReport) => void;
}
