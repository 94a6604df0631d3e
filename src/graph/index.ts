export { detached } from "./detached.js";
export * from "./door.js";
export { indexPendingTurns } from "./episodic-index.js";
export { releaseWindows } from "./extract-node.js";
export { lexicalColumns } from "./fresh-entry.js";
export { CALL_BUDGET } from "./progress.js";
export { cutKey, MAINTENANCE_KEY, ScopeLocks } from "./scope-locks.js";
export { SharedRuns } from "./shared-runs.js";
export { EMPTY_TALLY, type WriteStateType, type WriteTally } from "./write-state.js";
