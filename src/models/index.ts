export { readJson, withoutReasoning } from "./json-text.js";
export { LocalEmbeddings } from "./local-embeddings.js";
export { createRedactor } from "./redact.js";
export { type ModelRun, StructuredCaller, type StructuredRequest } from "./structured-output.js";
export { estimateTokens, type TokenCounter } from "./tokens.js";
