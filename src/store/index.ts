export { chunkId, turnKey } from "./keys.js";
export { type OpenStoreOptions, openStore } from "./open.js";
export * from "./store.js";
