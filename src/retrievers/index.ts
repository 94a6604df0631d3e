export { type Arrangement, arrange } from "./arrange.js";
export {
  MEMORY_FENCE,
  MEMORY_NOTICE,
  renderContextBlock,
  renderFacts,
  renderNumberedBlock,
  stripContextBlocks,
} from "./context-block.js";
export {
  createHybridRetriever,
  type HybridOptions,
  type HybridRetriever,
  type Retrieved,
  type RetrieveRequest,
} from "./hybrid.js";
export { RETIRED_PENALTY, WEIGHTS } from "./rank.js";
export {
  type MemoryDocumentMetadata,
  SimpleMemRetriever,
  type SimpleMemRetrieverOptions,
} from "./simplemem-retriever.js";
