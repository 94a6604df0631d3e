import type { DialogueTurn, Logger, Plan, View } from "../records/index.js";
import type { HybridRetriever } from "../retrievers/index.js";
import type { Answerer } from "../stages/answer/answerer.js";
import type { Consolidator } from "../stages/consolidate/consolidator.js";
import type { Extractor } from "../stages/extract/extractor.js";
import type { Planner } from "../stages/plan/planner.js";
import type { Reflector } from "../stages/reflect/reflector.js";
import type { Windower } from "../stages/window/window.js";
import type { MemoryStore } from "../store/index.js";
import type { ScopeLocks } from "./scope-locks.js";
import type { SharedRuns } from "./shared-runs.js";

/** An embedder as the graphs see it. */
export interface NamedEmbedder {
  /** Recorded in the store: another name means another vector space. */
  readonly name: string;
  /** Vectors cost nothing, so that turns are embedded as they arrive. */
  readonly isLocal: boolean;
  embedDocuments(texts: string[]): Promise<number[][]>;
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
  readonly maxReflectionRounds: number;
  /** Calls of models in one run of the write graph; what is left stays pending. Absent: no cap. */
  readonly maxCallsPerFlush?: number;
}

/** What both graphs are handed: nothing in them reaches for a global. */
export interface CommonServices {
  readonly store: MemoryStore;
  readonly embedder: NamedEmbedder;
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly timeZone: string;
  readonly logger: Logger;
  readonly countTokens: (text: string) => number;
  /** One run at a time makes a scope's new turns searchable. */
  readonly indexing: SharedRuns;
}

export interface WriteServices extends CommonServices {
  readonly windower: Windower;
  readonly extractor: Extractor;
  readonly consolidator: Consolidator;
  readonly locks: ScopeLocks;
  readonly instructions?: string;
}

export interface ReadServices extends CommonServices {
  readonly retriever: HybridRetriever;
  readonly planner: Planner;
  /** Plans by rule when the question does not need the model. */
  readonly rulePlanner: Planner;
  /** Whether a question needs the model's plan, given the recent turns that it may point back to. */
  readonly needsModel: (plan: Plan, recent: readonly DialogueTurn[]) => boolean;
  readonly reflector: Reflector;
  readonly answerer: Answerer;
  /** Answers when the answerer failed. */
  readonly fallbackAnswerer: Answerer;
  readonly defaultViews: readonly View[];
}
