import type { StoreCall } from "./call.js";
import type { Output } from "./output/output.js";
import { bold } from "./output/style.js";

/** Something that runs until nobody wants it any more. */
export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

/** Resolves when the person wants no more. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function tell(output: Output, what: string, { url }: Serving): Promise<void> {
  if (output.json) await output.document({ url });
  else await output.line(`${what}: `, bold(url));
  await output.note("Ctrl-C ends it; what was accepted is kept.");
}

/** Tells where a server is, and lets it run until Ctrl-C, which is how a server is meant to end. */
export async function serveUntilAborted(
  { output, terminal }: StoreCall,
  what: string,
  serving: Serving,
): Promise<undefined> {
  try {
    await tell(output, what, serving);
    await aborted(terminal.signal);
  } finally {
    await serving.close();
  }
  return undefined;
}
