export type { MemoryContext, MemoryRuntime, MemorySource } from "../records/memory-source.js";
export { detached } from "./detached.js";
export { indexPendingTurns } from "./episodic-index.js";
export { releaseWindows } from "./extract-node.js";
export { lexicalColumns } from "./fresh-entry.js";
export {
  createRecallGraph,
  createRememberGraph,
  type RecallGraphOptions,
  type RememberGraphOptions,
} from "./host-graphs.js";
export {
  createRecallNode,
  createRememberNode,
  type RecallNodeOptions,
  type RememberNodeOptions,
} from "./host-nodes.js";
export { createOwner, type Owner } from "./owner.js";
export { CALL_BUDGET, type ProgressEvent } from "./progress.js";
export { createReadGraph } from "./read.js";
export type { ReadOptions } from "./read-state.js";
export { cutKey, MAINTENANCE_KEY, ScopeLocks } from "./scope-locks.js";
export type { CommonServices, Limits, NamedEmbedder, ReadServices, WriteServices } from "./services.js";
export { SharedRuns } from "./shared-runs.js";
export { createWriteGraph } from "./write.js";
export { EMPTY_TALLY, type WriteStateType, type WriteTally } from "./write-state.js";
