import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { ownNames } from "./addresses.js";
import { refuse } from "./refusals.js";

/** Who may call a server. */
export interface CallerOptions {
  /** Where the server listens. */
  readonly host: string;
  /** Further names by which it is called, as behind a proxy, without a port. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages, beside its own, that may call it: "https://app.example". */
  readonly allowedOrigins?: readonly string[] | undefined;
}

const SECONDS_OF_PREFLIGHT = 600;

function hostOf(authority: string | undefined): URL | null {
  const address = `http://${authority ?? ""}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  // More than a name and a port is no authority.
  return url !== null && url.username === "" && url.pathname === "/" && url.search === "" && url.hash === ""
    ? url
    : null;
}

/**
 * Refuses requests that name another host. A web page whose own name was made to point at this machine (DNS rebinding) is
 * of the same origin as the server, and nothing but this name tells it from a caller that was meant.
 */
export function hostGuard({ host, allowedHosts = [] }: CallerOptions): MiddlewareHandler {
  const names = new Set([...ownNames(host), ...allowedHosts.map((name) => name.toLowerCase())]);
  return async (context, next) => {
    const called = hostOf(context.req.header("host"));
    if (called !== null && names.has(called.hostname)) return next();
    return refuse(context, {
      status: 403,
      name: "ForbiddenHostError",
      message: "this server is not called by that name; name it in allowedHosts when it is.",
    });
  };
}

/** Refuses requests of web pages of another origin. Programs that are no browsers send no origin, and pass. */
export function originGuard({ allowedOrigins = [] }: CallerOptions): MiddlewareHandler {
  const allowed = new Set(allowedOrigins);
  return async (context, next) => {
    const origin = context.req.header("origin");
    if (origin === undefined || allowed.has(origin) || origin === ownOrigin(context.req.header("host"))) return next();
    return refuse(context, {
      status: 403,
      name: "ForbiddenOriginError",
      message: "pages of that origin may not call this server; name it in allowedOrigins when they may.",
    });
  };
}

/** A server that is called by its own page is named by it in both headers. */
function ownOrigin(authority: string | undefined): string | undefined {
  return hostOf(authority)?.origin;
}

/** Lets pages of the allowed origins read answers, and nobody else. */
export function crossOrigin({ allowedOrigins = [] }: CallerOptions): MiddlewareHandler {
  return cors({
    origin: [...allowedOrigins],
    allowMethods: ["GET", "POST", "DELETE"],
    allowHeaders: [
      "Authorization",
      "Content-Type",
      "Accept",
      "Last-Event-ID",
      "Mcp-Session-Id",
      "Mcp-Protocol-Version",
    ],
    exposeHeaders: ["Mcp-Session-Id", "Retry-After"],
    maxAge: SECONDS_OF_PREFLIGHT,
  });
}
