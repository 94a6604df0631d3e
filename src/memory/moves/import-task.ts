import { type ExactScope, scopeKey } from "../../store/index.js";

/** The name of the claim on importing into a scope: one import at a time, and whoever checks the store knows that more is to come. */
export function importTask(scope: ExactScope): string {
  return `import:${scopeKey(scope)}`;
}
