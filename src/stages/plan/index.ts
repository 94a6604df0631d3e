export { createLlmPlanner } from "./llm.js";
export type { PlanInput, Planner } from "./planner.js";
export { createRulePlanner, depthFor, needsModel } from "./rules.js";
