import { SimpleMemError } from "../records/index.js";
import type { StageRun } from "../stages/run.js";

/**
 * Runs one call of a stage under a time limit: the stage sees an abort signal, and a stage that ignores it is left behind.
 * @throws SimpleMemError when the time is over
 */
export async function withDeadline<T>(
  name: string,
  limitMs: number,
  outer: AbortSignal | undefined,
  context: Omit<StageRun, "signal">,
  call: (run: StageRun) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const timeout = new AbortController();
  const signal = outer === undefined ? timeout.signal : AbortSignal.any([outer, timeout.signal]);
  const started = context.now();
  let timer: NodeJS.Timeout | undefined;
  let leave = (): void => {};
  const over = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    timer = setTimeout(
      () =>
        timeout.abort(new SimpleMemError(`${name} did not finish within ${limitMs} ms; raise limits.stageTimeoutMs.`)),
      limitMs,
    );
  });
  over.catch(() => {});
  try {
    return await Promise.race([call({ ...context, signal }), over]);
  } finally {
    clearTimeout(timer);
    // Node keeps a signal that is made of others, and all that its listeners hold, as long as anybody listens.
    signal.removeEventListener("abort", leave);
    context.usage.ms[name] = (context.usage.ms[name] ?? 0) + (context.now() - started);
  }
}

/** An error as it is kept in the ledger and shown in reports: one line, without the text of a conversation. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replace(/\s+/g, " ").slice(0, 300);
}

const TRANSIENT_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const TRANSIENT_CODE = /^(ECONNRESET|ECONNREFUSED|ETIMEDOUT|EPIPE|EAI_AGAIN|UND_ERR_.*)$/;

/** True for an error that may be over in a moment: too many requests, a failing server, a broken connection. */
export function isTransient(error: unknown): boolean {
  // Errors of ours may quote such an error: what they wrap was weighed before.
  if (typeof error !== "object" || error === null || error instanceof SimpleMemError) return false;
  const { status, statusCode, code, message } = error as Record<string, unknown>;
  if (TRANSIENT_STATUS.has(Number(status ?? statusCode))) return true;
  if (typeof code === "string" && TRANSIENT_CODE.test(code)) return true;
  return typeof message === "string" && /\b429\b|rate limit|connection error/i.test(message);
}
