export type { Answerer, AnswerInput, AnswerOutput } from "./answerer.js";
export { createLlmAnswerer } from "./llm.js";
export { createRuleAnswerer } from "./rules.js";
