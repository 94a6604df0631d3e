/** A signal for one run, that aborts when the caller's does. */
export interface RelayedSignal {
  /** For the run; without a signal where the caller gave none. */
  readonly config: { readonly signal?: AbortSignal };
  /** When the run has ended: nothing of it hangs on the caller's signal any more. */
  release(): void;
}

/**
 * LangGraph listens to the signal that it is given and does not stop when the run has ended. A caller's signal may live as
 * long as the program, and would keep every run in memory.
 */
export function relayedSignal(outer: AbortSignal | undefined): RelayedSignal {
  if (outer === undefined) return { config: {}, release: () => {} };
  const inner = new AbortController();
  const relay = (): void => inner.abort(outer.reason);
  if (outer.aborted) relay();
  else outer.addEventListener("abort", relay, { once: true });
  return { config: { signal: inner.signal }, release: () => outer.removeEventListener("abort", relay) };
}

/** Does some work under a signal of its own. */
export async function withRelayed<T>(
  outer: AbortSignal | undefined,
  work: (config: RelayedSignal["config"]) => Promise<T>,
): Promise<T> {
  const { config, release } = relayedSignal(outer);
  try {
    return await work(config);
  } finally {
    release();
  }
}
