import type { Hono, MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { type Logger, SILENT_LOGGER } from "../records/index.js";
import { checkBinding } from "./addresses.js";
import { bodyGuard, DEFAULT_MAX_BODY } from "./body-limit.js";
import { answerFailure, answerUnknown } from "./failures.js";
import { type CallerOptions, crossOrigin, hostGuard, originGuard } from "./origins.js";
import { DEFAULT_RATE, type RateLimit, rateLimit } from "./rate-limit.js";
import { type GuardedEnv, type Holder, identify, requireToken } from "./tokens.js";

/** What stands before every request. */
export interface GuardOptions<H extends Holder> extends CallerOptions {
  /** Who may ask. Without any, the host must be a loopback one, and everybody on this machine may. */
  readonly holders: readonly H[];
  /** Paths that need no token. Default: none. */
  readonly isOpen?: (path: string) => boolean;
  /** Bytes of a body at most. Default 1,048,576. */
  readonly maxBodyBytes?: number | undefined;
  /** Default: 600 requests a minute for each token, or address without one. false: no limit. */
  readonly rate?: RateLimit | false | undefined;
  /** What a page of this server may load and who may frame it. Default: nothing and nobody. */
  readonly contentSecurityPolicy?: NonNullable<Parameters<typeof secureHeaders>[0]>["contentSecurityPolicy"];
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Told of requests that failed for a reason that is nobody's outside. Default: silent. */
  readonly logger?: Logger | undefined;
}

const NOTHING_LOADED = {
  defaultSrc: ["'none'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
};

/** Says that an answer is what it says it is, is for nobody else, and is kept by no cache. */
export function securityHeaders(
  contentSecurityPolicy: GuardOptions<Holder>["contentSecurityPolicy"],
): MiddlewareHandler {
  const headers = secureHeaders({
    contentSecurityPolicy: contentSecurityPolicy ?? NOTHING_LOADED,
    referrerPolicy: "no-referrer",
    xFrameOptions: "DENY",
    // TLS ends before this server, in a proxy that says so itself.
    strictTransportSecurity: false,
  });
  return async (context, next) => {
    const response = await headers(context, next);
    context.res.headers.set("Cache-Control", "no-store");
    return response;
  };
}

function tokenGuard<H extends Holder>({ holders, isOpen }: GuardOptions<H>): MiddlewareHandler<GuardedEnv<H>> {
  const required = requireToken<H>();
  return async (context, next) => {
    if (holders.length === 0 || isOpen?.(context.req.path) === true) return next();
    return required(context, next);
  };
}

/**
 * Puts every guard before an app, in the order in which they cost least: who calls, how often, with which token, how much.
 * What fails behind them is answered as JSON, without a stack. The holder of the token is `context.get("holder")` afterwards.
 * @throws InvalidInputError for a host beyond loopback without a token, or for a token that is none
 */
export function guard<H extends Holder>(app: Hono<GuardedEnv<H>>, options: GuardOptions<H>): void {
  checkBinding(options.host, options.holders.length > 0);
  const { rate = DEFAULT_RATE, clock = Date.now, logger = SILENT_LOGGER } = options;
  app.onError((error, context) => answerFailure(error, context, logger));
  app.notFound(answerUnknown);
  app.use(securityHeaders(options.contentSecurityPolicy));
  app.use(hostGuard(options));
  app.use(originGuard(options));
  app.use(crossOrigin(options));
  app.use(identify(options.holders));
  if (rate !== false) app.use(rateLimit(rate, clock));
  app.use(tokenGuard(options));
  app.use(bodyGuard(options.maxBodyBytes ?? DEFAULT_MAX_BODY));
}
