import type { Context, MiddlewareHandler } from "hono";
import { refuse } from "./refusals.js";

/** 1 MiB: thousands of turns. */
export const DEFAULT_MAX_BODY = 1_048_576;

/** The whole body; null when it has more than `maxBytes`, and then the rest is not read. */
async function readWithin(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > maxBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function tooLarge(context: Context, maxBytes: number): Response {
  return refuse(context, {
    status: 413,
    name: "BodyTooLargeError",
    message: `a body may have ${maxBytes} bytes; send less at a time.`,
    // What is left of the body is not read, so the connection cannot be used again.
    headers: { Connection: "close" },
  });
}

/**
 * Turns bodies away that are too large. A length that is said is kept by Node; a body that says none is counted while it is
 * read. (hono's own limit makes a new request of the old one, which works only where the global `Request` was replaced.)
 */
export function bodyGuard(maxBytes: number): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    const said = context.req.header("content-length");
    if (said !== undefined && context.req.header("transfer-encoding") === undefined) {
      return Number(said) > maxBytes ? tooLarge(context, maxBytes) : next();
    }
    if (raw.body === null) return next();
    const body = await readWithin(raw.body, maxBytes);
    if (body === null) return tooLarge(context, maxBytes);
    const { method, headers, signal } = raw;
    context.req.raw = new Request(raw.url, { method, headers, signal, body });
    return next();
  };
}
