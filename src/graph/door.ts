/**
 * Memory as nodes and subgraphs of LangGraph.
 * @packageDocumentation
 */

// What users need stands here; index.ts adds what the floors above need.

export type { MemoryContext, MemoryRuntime, MemorySource } from "../records/memory-source.js";
export type { SpokenOptions } from "./conversation.js";
export {
  createRecallGraph,
  createRememberGraph,
  type RecallGraphOptions,
  type RememberGraphOptions,
} from "./host-graphs.js";
export {
  createRecallNode,
  createRememberNode,
  type MessagesState,
  type RecallNodeOptions,
  type RememberNodeOptions,
} from "./host-nodes.js";
export { createMaintainGraph } from "./maintain.js";
export { createOwner, type Owner } from "./owner.js";
export type { ProgressEvent } from "./progress.js";
export { createReadGraph } from "./read.js";
export type { ReadOptions } from "./read-state.js";
export type {
  CommonServices,
  Limits,
  MaintainServices,
  NamedEmbedder,
  ReadServices,
  WriteServices,
} from "./services.js";
export { createWriteGraph } from "./write.js";
