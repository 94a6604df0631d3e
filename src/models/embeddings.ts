/**
 * Embeddings that work offline.
 * @packageDocumentation
 */

export { LocalEmbeddings } from "./local-embeddings.js";
