import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

/**
 * Runs work outside of the run that surrounds it. A graph that is invoked inside a node of a host's graph would else take
 * itself for a part of it: its state, which holds what a user said, would be written into the host's checkpoints and
 * outlive `forget`, and a flush in the background would stop when the host's run ends.
 */
export function detached<T>(work: () => Promise<T>): Promise<T> {
  return AsyncLocalStorageProviderSingleton.runWithConfig({}, work, true);
}
