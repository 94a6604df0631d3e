import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Callbacks } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

/** Core's handlers behind `streamEvents` and `streamLog`: what they hear is shown to whoever reads the host's stream. */
const STREAMS: ReadonlySet<string> = new Set(["event_stream_tracer", "log_stream_tracer"]);

function showsToReaders(handler: object): boolean {
  return "name" in handler && typeof handler.name === "string" && STREAMS.has(handler.name);
}

/** The listeners without those that show a host's stream to its readers; traces still hear everything. */
function withoutStreams(callbacks: Callbacks): Callbacks {
  if (Array.isArray(callbacks)) return callbacks.filter((handler) => !showsToReaders(handler));
  const manager = callbacks.copy();
  const streams: readonly BaseCallbackHandler[] = manager.handlers.filter(showsToReaders);
  for (const handler of streams) manager.removeHandler(handler);
  return manager;
}

/**
 * What surrounds a call of ours, as far as it concerns the call: the listeners that trace, tags and metadata. Not the identity
 * of the surrounding run, which is another one; and not the listeners behind a host's stream of events, which would show
 * what models write for the memory alone.
 */
export function surroundingConfig(): RunnableConfig {
  const surrounding: RunnableConfig = AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {};
  const { runId, runName, callbacks, ...rest } = surrounding;
  return callbacks === undefined ? rest : { ...rest, callbacks: withoutStreams(callbacks) };
}
