import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { refuse } from "./refusals.js";
import type { GuardedEnv, Holder } from "./tokens.js";

/** How often one caller may ask. */
export interface RateLimit {
  /** Requests within `perMs`; so many may also come at once. */
  readonly requests: number;
  /** Milliseconds. */
  readonly perMs: number;
}

export const DEFAULT_RATE: RateLimit = Object.freeze({ requests: 600, perMs: 60_000 });

/** Callers that are remembered: beyond, those that asked longest ago are taken for new ones. */
const MAX_CALLERS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/** What each caller has left: a bucket that fills evenly, and holds `requests` at most. */
export class Buckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly limit: RateLimit,
    private readonly clock: () => number,
  ) {}

  /** Takes one request; answers 0, or the milliseconds after which there will be one to take. */
  take(caller: string): number {
    const { requests, perMs } = this.limit;
    const now = this.clock();
    const known = this.#buckets.get(caller) ?? { left: requests, at: now };
    const left = Math.min(requests, known.left + (Math.max(0, now - known.at) / perMs) * requests);
    // Taken out and put back in, so that the map is in the order of the last request.
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { left: left < 1 ? left : left - 1, at: now });
    this.#forgetOldest();
    return left < 1 ? ((1 - left) / requests) * perMs : 0;
  }

  #forgetOldest(): void {
    if (this.#buckets.size <= MAX_CALLERS) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Who has a token is counted by it, wherever they ask from; who has none, by the address. */
function callerOf<H extends Holder>(context: Context<GuardedEnv<H>>): string {
  const holder = context.get("holder");
  return holder === undefined ? `address ${getConnInfo(context).remote.address}` : `token ${holder.token}`;
}

/** Turns away who asks too often. It stands after `identify`, and before what turns the unknown away. */
export function rateLimit<H extends Holder>(limit: RateLimit, clock: () => number): MiddlewareHandler<GuardedEnv<H>> {
  const buckets = new Buckets(limit, clock);
  return async (context, next) => {
    const waitMs = buckets.take(callerOf(context));
    if (waitMs === 0) return next();
    return refuse(context, {
      status: 429,
      name: "RateLimitError",
      message: `more than ${limit.requests} requests in ${limit.perMs} ms; ask again after the time in Retry-After.`,
      headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) },
    });
  };
}
