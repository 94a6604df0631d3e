export { DEFAULT_DENSITY_THRESHOLD, informationGain, isUnderThreshold, windowGain } from "./density.js";
export * from "./extractor.js";
export { type Fidelity, fidelityOf } from "./fidelity.js";
export { checkItem, type GuardCode, type GuardOptions, type GuardProblem, type GuardResult } from "./guards.js";
export { createLlmExtractor, type LlmExtractorOptions } from "./llm.js";
export { createRuleExtractor, type RuleExtractorOptions } from "./rules.js";
