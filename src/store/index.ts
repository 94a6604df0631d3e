export type * from "./found.js";
export type * from "./item-table.js";
export { chunkId, metadataHashes, scopeKey, turnKey } from "./keys.js";
export { type OpenStoreOptions, openStore } from "./open.js";
export { PerScope } from "./per-scope.js";
export { canonicalJson } from "./row.js";
export { cosine, dot, unit } from "./similarity.js";
export * from "./store.js";
