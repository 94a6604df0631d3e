export { agree, isEligible } from "./agreement.js";
export { type ClusterRule, findClusters, type Neighbourhood } from "./clusters.js";
export { decayWeight, fullSince } from "./decay.js";
export { createLlmMaintainer, type LlmMaintainerOptions } from "./llm.js";
export { lossOf } from "./lossless.js";
export type { Cluster, CondenseOutput, Maintainer, Summary } from "./maintainer.js";
export { createRuleMaintainer } from "./rules.js";
