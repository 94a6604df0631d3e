export { type Arrangement, arrange } from "./arrange.js";
export { memoryLine, renderFacts, renderNumberedBlock, stripContextBlocks } from "./context-block.js";
export * from "./door.js";
export {
  createHybridRetriever,
  type HybridOptions,
  type HybridRetriever,
  type Retrieved,
  type RetrieveRequest,
} from "./hybrid.js";
export { RETIRED_PENALTY, WEIGHTS } from "./rank.js";
export { Sight, type SightOptions, withHappened } from "./sight.js";
