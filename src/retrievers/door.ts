/**
 * Memory as LangChain retrievers, and a prompt for RAG.
 * @packageDocumentation
 */

// What users need stands here; index.ts adds what the floors above need.

export type { MemoryContext, MemoryRuntime, MemorySource } from "../records/memory-source.js";
export { MEMORY_FENCE, MEMORY_NOTICE, renderContextBlock } from "./context-block.js";
export { createRagPrompt, type RagInput, type RagPromptOptions } from "./rag-prompt.js";
export {
  type MemoryDocumentMetadata,
  SimpleMemRetriever,
  type SimpleMemRetrieverOptions,
  type ViewRetrieverOptions,
} from "./simplemem-retriever.js";
export { EpisodicRetriever, LexicalRetriever, SemanticRetriever, SymbolicRetriever } from "./view-retrievers.js";
