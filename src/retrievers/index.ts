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
export { createRagPrompt, type RagInput, type RagPromptOptions } from "./rag-prompt.js";
export { RETIRED_PENALTY, WEIGHTS } from "./rank.js";
export {
  type MemoryDocumentMetadata,
  SimpleMemRetriever,
  type SimpleMemRetrieverOptions,
  type ViewRetrieverOptions,
} from "./simplemem-retriever.js";
export { EpisodicRetriever, LexicalRetriever, SemanticRetriever, SymbolicRetriever } from "./view-retrievers.js";
