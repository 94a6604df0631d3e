export type { InspectorOptions } from "./options.js";
export { startInspector } from "./start.js";
