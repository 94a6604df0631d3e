export { LocalEmbeddings } from "./local-embeddings.js";
export { createRedactor } from "./redact.js";
export { estimateTokens, type TokenCounter } from "./tokens.js";
