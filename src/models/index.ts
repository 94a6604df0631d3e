export { CallBudget } from "./call-budget.js";
export { readJson } from "./json-text.js";
export { LocalEmbeddings } from "./local-embeddings.js";
export { withoutReasoning } from "./reasoning.js";
export { createRedactor } from "./redact.js";
export {
  type ModelRun,
  ReplyCutOffError,
  StructuredCaller,
  type StructuredReply,
  type StructuredRequest,
} from "./structured-output.js";
export { estimateTokens, type TokenCounter } from "./tokens.js";
export { type StemLikeness, WordLikeness } from "./word-likeness.js";
export { englishWordTable } from "./word-table.js";
