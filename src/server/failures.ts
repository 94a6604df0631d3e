import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Logger } from "../records/index.js";
import { type Refusal, refuse } from "./refusals.js";

const FORBIDDEN = 403;
/** Insufficient Storage: nobody has to be permitted anything, somebody has to make room. */
const FULL = 507;

const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  ScopeError: 400,
  InvalidInputError: 400,
  ImportError: 400,
  NotWritableError: FORBIDDEN,
  EntryNotFoundError: 404,
  DuplicateTurnError: 409,
  EntryConflictError: 409,
  ModelOutputError: 502,
  ModelUnavailableError: 503,
  CallBudgetError: 503,
  StoreConflictError: 503,
  ClosedError: 503,
};

/** Told of what nobody outside is told: errors that the library did not throw on purpose. */
const UNTOLD: Refusal = {
  status: 500,
  name: "InternalError",
  message: "the request failed; the log of the server says why.",
};

/** The library's own errors begin with its name, in every copy of it. */
function isTyped(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith("simplemem-langchain: ");
}

/** What a client is told of an error: typed errors are told as they are, and of others nothing but that there was one. */
export function refusalOf(error: unknown): Refusal {
  if (!isTyped(error)) return UNTOLD;
  return { status: statusOf(error), name: error.name, message: error.message };
}

function statusOf(error: Error): ContentfulStatusCode {
  const status = STATUS[error.name] ?? 500;
  return status === FORBIDDEN && "isFull" in error && error.isFull === true ? FULL : status;
}

/** The answer to a request that failed. */
export function answerFailure(error: unknown, context: Context, logger: Logger): Response {
  const refusal = refusalOf(error);
  if (refusal.status >= 500) {
    logger.error("a request failed", { path: context.req.path, error: String(error) });
  }
  return refuse(context, refusal);
}

/** The answer to a request for what is not there. */
export function answerUnknown(context: Context): Response {
  return refuse(context, { status: 404, name: "NotFoundError", message: "there is nothing at this path." });
}
