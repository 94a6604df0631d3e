/**
 * Memory for chains that take a `BaseMemory`, and chat history for `RunnableWithMessageHistory`.
 * @packageDocumentation
 */

export { SimpleMemChatMessageHistory, type SimpleMemChatMessageHistoryOptions } from "./chat-history.js";
export * from "./foreign/index.js";
export { SimpleMemMemory, type SimpleMemMemoryOptions } from "./langchain-memory.js";
export type { MaintenanceOptions } from "./maintenance-options.js";
export type { RebuildOptions } from "./moves/rebuild.js";
export type { SimpleMemOptions, StageOverrides } from "./options.js";
export { ScopedHandle } from "./scoped-handle.js";
export { type CloseOptions, type ScopeOptions, SimpleMem } from "./simplemem.js";
export { type ItemStoreOptions, SimpleMemStore, type SimpleMemStoreOptions } from "./store.js";
