export * from "./window.js";
export { createWindower, PAUSE_MINUTES, type WindowerOptions } from "./windower.js";
