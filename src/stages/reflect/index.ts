export { createLlmReflector } from "./llm.js";
export type { Reflection, Reflector } from "./reflector.js";
export { createRuleReflector } from "./rules.js";
