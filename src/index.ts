/**
 * The engine and its handles, the records that go in and come out, the errors, and the types of the stages.
 * @packageDocumentation
 */

export { createMaintainGraph, createReadGraph, createWriteGraph, type ProgressEvent } from "./graph/index.js";
export * from "./memory/index.js";
export { LocalEmbeddings, type ModelRun, type TokenCounter } from "./models/index.js";
export type * from "./records/index.js";
export {
  addUsage,
  CallBudgetError,
  ClosedError,
  DEFAULT_SESSION_ID,
  DEFAULT_SPEAKER_NAMES,
  DimensionMismatchError,
  DuplicateTurnError,
  ENTRY_KINDS,
  EntryConflictError,
  EntryNotFoundError,
  emptyUsage,
  ImportError,
  InvalidInputError,
  InvalidVectorError,
  ModelOutputError,
  ModelUnavailableError,
  NotWritableError,
  QUOTED_TURN,
  ScopeError,
  SILENT_LOGGER,
  SimpleMemError,
  StoreConflictError,
  StoreOpenError,
  StoreVersionError,
  VIEWS,
} from "./records/index.js";
export { MEMORY_FENCE, SimpleMemRetriever } from "./retrievers/index.js";
export type { Answerer, AnswerInput, AnswerOutput } from "./stages/answer/index.js";
export type {
  Candidate,
  ConsolidateOutput,
  ConsolidationItem,
  Consolidator,
  Decision,
  LostGround,
} from "./stages/consolidate/index.js";
export type { ExtractInput, ExtractOutput, Extractor } from "./stages/extract/index.js";
export type { Cluster, CondenseOutput, Maintainer, Summary } from "./stages/maintain/index.js";
export type { PlanInput, Planner } from "./stages/plan/index.js";
export type { Reflection, Reflector } from "./stages/reflect/index.js";
export type { StageRun } from "./stages/run.js";
export type { TurnWindow, Windower, WindowOptions } from "./stages/window/index.js";
