/**
 * LangGraph's `BaseStore` in the folder of the memory.
 * @packageDocumentation
 */

export { fromNamespaceLabel, toNamespaceLabel } from "./items/labels.js";
export type { SimpleMemPutOperation } from "./items/operations.js";
export type { ItemIndexOptions, ItemStoreOptions, ItemTtlOptions, SimpleMemStoreOptions } from "./items/options.js";
export { type PutOptions, SimpleMemStore } from "./simplemem-store.js";
