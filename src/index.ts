export { createReadGraph, createWriteGraph, type ProgressEvent } from "./graph/index.js";
export * from "./memory/index.js";
export { LocalEmbeddings } from "./models/index.js";
export * from "./records/index.js";
export { MEMORY_FENCE, SimpleMemRetriever } from "./retrievers/index.js";
