export * from "./consolidator.js";
export { createRuleConsolidator } from "./rules.js";
