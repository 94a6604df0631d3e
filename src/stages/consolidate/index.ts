export * from "./consolidator.js";
export { createLlmConsolidator } from "./llm.js";
export { createRuleConsolidator } from "./rules.js";
export { attributeToken } from "./slots.js";
