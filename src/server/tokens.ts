import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { InvalidInputError } from "../records/index.js";
import { refuse } from "./refusals.js";

/** Somebody who is known by a token. */
export interface Holder {
  readonly token: string;
}

/** What the guards know of a request. */
export interface GuardedEnv<H extends Holder> {
  Variables: { holder?: H };
}

/** Characters of a token at least: 16 random ones of an alphabet of 64 are 96 bits. */
export const MIN_TOKEN = 16;
/** What RFC 6750 lets stand in the header. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const BEARER = /^Bearer +(\S+)$/i;

function digest(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** @throws InvalidInputError for a token that is too short, holds what no header holds, or is given twice */
export function checkTokens(holders: readonly Holder[]): void {
  for (const { token } of holders) {
    if (token.length >= MIN_TOKEN && TOKEN.test(token)) continue;
    throw new InvalidInputError(
      `a token must have ${MIN_TOKEN} characters or more of A-Z a-z 0-9 - . _ ~ + /; "openssl rand -hex 32" makes one.`,
    );
  }
  if (new Set(holders.map(({ token }) => token)).size < holders.length) {
    throw new InvalidInputError("a token stands for one scope: the same token was given twice.");
  }
}

/**
 * Finds out whose token a request bears. The time it takes tells nothing of the tokens: their digests are compared, each
 * whole, and all of them.
 */
export function identify<H extends Holder>(holders: readonly H[]): MiddlewareHandler<GuardedEnv<H>> {
  checkTokens(holders);
  const known = holders.map((holder) => ({ holder, proof: digest(holder.token) }));
  return async (context, next) => {
    const given = BEARER.exec(context.req.header("authorization") ?? "")?.[1];
    if (given !== undefined) {
      const proof = digest(given);
      const [match] = known.filter((one) => timingSafeEqual(one.proof, proof));
      if (match !== undefined) context.set("holder", match.holder);
    }
    return next();
  };
}

/** Lets nobody pass whom `identify` does not know. */
export function requireToken<H extends Holder>(): MiddlewareHandler<GuardedEnv<H>> {
  return async (context, next) => {
    if (context.get("holder") !== undefined) return next();
    return refuse(context, {
      status: 401,
      name: "UnauthorizedError",
      message: 'a known token is required: send the header "Authorization: Bearer <token>".',
      headers: { "WWW-Authenticate": 'Bearer realm="simplemem"' },
    });
  };
}
