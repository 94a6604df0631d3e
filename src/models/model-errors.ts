const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
const WRONG_KEY = new Set([401, 403]);
/** Messages of HTTP clients that carry neither status nor code. */
const BROKEN_CONNECTION = /connection error|fetch failed|network error|socket hang up|timed? ?out|econnre/i;
/** Clients that parse natively throw instead of handing out the beginning of the reply. */
const LENGTH_REACHED = /length limit was reached/i;

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

/** The HTTP status that an error carries; 0 when it carries none. */
export function statusOf(error: unknown): number {
  const status = Number(fieldOf(error, "status") ?? fieldOf(error, "statusCode") ?? 0);
  return Number.isFinite(status) ? status : 0;
}

/** Whether the reply was cut off at the token limit before the client could read it. */
export function isLengthError(error: unknown): boolean {
  return LENGTH_REACHED.test(String(fieldOf(error, "message")));
}

/** Whether the model could not be reached, or had no room: anything that may be over in a moment. */
export function isUnavailable(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== 0) return TRANSIENT.has(status);
  return (
    fieldOf(error, "name") === "TimeoutError" ||
    BROKEN_CONNECTION.test(`${fieldOf(error, "message")} ${fieldOf(error, "code")}`)
  );
}

/** Whether the error answers about the way in which the model was asked, so that another way may work. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (isUnavailable(error) || WRONG_KEY.has(status) || fieldOf(error, "name") === "AbortError") return false;
  return status === 400 || status === 404 || status === 422 || fieldOf(error, "code") === undefined;
}
