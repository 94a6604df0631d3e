import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import type { Env } from "hono/types";
import { SimpleMemError } from "../records/index.js";
import { urlHost } from "./addresses.js";

/** Where an app listens. */
export interface ListenOptions {
  /** A name or an address of this machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Milliseconds that `close` waits for running requests. Default 10,000. */
  readonly graceMs?: number | undefined;
  /** Milliseconds within which a request must have arrived whole. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Told that the server closes, before it waits: ends streams that would not end by themselves. */
  readonly onClosing?: () => Promise<void> | void;
}

/** A server that listens. */
export interface Listening {
  /** Its address, such as "http://127.0.0.1:8787". */
  readonly url: string;
  /** Takes no more requests, waits for those that run, and ends what is left after `graceMs`. Calling it again waits with the first. */
  close(): Promise<void>;
}

const DEFAULT_GRACE_MS = 10_000;
const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;

/** The address cannot be listened on: it is in use, not of this machine, or not allowed. */
export class ListenError extends SimpleMemError {
  override readonly name = "ListenError";
}

function started(server: Server, { host, port }: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const advice = "pass another port (0 takes any that is free) or host";
      reject(new ListenError(`cannot listen on ${urlHost(host)}:${port} (${cause.message}); ${advice}.`, { cause }));
    });
    server.listen({ host, port }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new ListenError("the server has no port."));
      else resolve(address);
    });
  });
}

/** Ends the server when the last request has ended, or after the time of grace. */
async function stopped(server: Server, { graceMs = DEFAULT_GRACE_MS, onClosing }: ListenOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  server.on("request", (_, response) => response.setHeader("Connection", "close"));
  await onClosing?.();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await ended;
  clearTimeout(timer);
}

/**
 * Serves an app on this machine.
 * @throws ListenError when the address cannot be listened on
 * @example const { url, close } = await listen(app, { host: "127.0.0.1", port: 0 });
 */
export async function listen<E extends Env>(app: Hono<E>, options: ListenOptions): Promise<Listening> {
  const { requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = options;
  const server = createAdaptorServer({
    fetch: app.fetch,
    // The globals are the host program's.
    overrideGlobalObjects: false,
    serverOptions: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.max(100, Math.floor(requestTimeoutMs / 4)),
    },
  });
  if (!("closeAllConnections" in server)) throw new ListenError("not an HTTP server.");
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= stopped(server, options);
    return closing;
  };
  // A connection that was kept open for further requests is idle once its request has ended.
  server.on("request", (_, response) => {
    response.once("close", () => {
      if (closing !== undefined) server.closeIdleConnections();
    });
  });
  const { port } = await started(server, options);
  return { url: `http://${urlHost(options.host)}:${port}`, close };
}
