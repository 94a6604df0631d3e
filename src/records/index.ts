export * from "./entry.js";
export * from "./errors.js";
export * from "./logger.js";
export * from "./results.js";
export * from "./scope.js";
export * from "./scoped-memory.js";
export * from "./turn.js";
export * from "./usage.js";
